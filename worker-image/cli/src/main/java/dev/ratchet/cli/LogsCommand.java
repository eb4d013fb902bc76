/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.google.protobuf.ByteString;
import dev.ratchet.cli.logs.LineQuery;
import dev.ratchet.cli.logs.LogCursor;
import dev.ratchet.cli.logs.LostLines;
import dev.ratchet.cli.logs.MergedLines;
import dev.ratchet.cli.logs.SeatLine;
import dev.ratchet.cli.view.Format;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.MemberStatus;
import dev.ratchet.protocol.client.v1.StatusReply;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ratchet logs}: what workers and tasks have printed, as one log by time. */
@Command(
        name = "logs",
        description = "Shows what workers, a job or futures have printed and their workers still keep, by time.",
        mixinStandardHelpOptions = true)
final class LogsCommand extends GatewayCommand {

    private static final Pattern FUTURE = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    private static final int LINES_MAX = 100_000;
    private static final int BATCH_LINES = 1_000;
    private static final long FOLLOW_MILLIS = 1_000;
    /** After so many looks at its lines, workers that have come since are looked for. */
    private static final int FOLLOW_ROUNDS = 5;

    @Option(names = "--job", paramLabel = "NAME", description = "only what futures of this job have printed")
    private @Nullable String job;

    @Option(names = "--grep", paramLabel = "REGEX", description = "only lines in which this is found (RE2)")
    private @Nullable String grep;

    @Option(
            names = {"--limit", "--head"},
            paramLabel = "N",
            description = "only the next N lines, and a cursor for those behind them; 1 to 100000")
    private @Nullable Integer limit;

    @Option(names = "--tail", paramLabel = "N", description = "only the last N lines, 1 to 100000")
    private @Nullable Integer tail;

    @Option(names = "--reverse", description = "the newest line first")
    private boolean reverse;

    @Option(names = "--cursor", paramLabel = "CURSOR", description = "go on where --limit has told this cursor")
    private @Nullable String cursor;

    @Option(
            names = {"-f", "--follow"},
            description = "go on with what comes, until interrupted")
    private boolean follow;

    @Option(names = "--timestamps", description = "with the time of each line")
    private boolean timestamps;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text, json or yaml (default: text)")
    private Format format = Format.text;

    @Parameters(
            arity = "0..*",
            paramLabel = "SEAT|FUTURE",
            description = "names of workers, ids of futures; none = of all workers")
    private List<String> what = new ArrayList<>();

    private List<ByteString> futures = List.of();
    private List<String> named = List.of();

    @Override
    void check() {
        requireValue("--job", job);
        requireValue("--grep", grep);
        what.forEach(one -> requireValue("SEAT|FUTURE", one));
        requireLines("--limit", limit);
        requireLines("--tail", tail);
        if (tail != null && (limit != null || cursor != null)) {
            throw new InvalidInputException("--tail does not go with --limit or --cursor.");
        }
        if (follow && (limit != null || reverse)) {
            throw new InvalidInputException("--follow does not go with --limit or --reverse.");
        }
        if (cursor != null && LogCursor.parse(cursor).reverse() != reverse) {
            throw new InvalidInputException(
                    "The cursor is of the other direction: " + (reverse ? "leave out --reverse." : "add --reverse."));
        }
        futures = what.stream()
                .filter(one -> FUTURE.matcher(one).matches())
                .map(one -> Ids.bytes(FutureId.parse(one)))
                .toList();
        named = what.stream().filter(one -> !FUTURE.matcher(one).matches()).toList();
    }

    private static void requireLines(String option, @Nullable Integer lines) {
        if (lines != null && (lines < 1 || lines > LINES_MAX)) {
            throw new InvalidInputException(option + " is 1 to " + LINES_MAX + ", not " + lines + ".");
        }
    }

    @Override
    int ask(GatewayConnection gateway, PrintWriter out) throws InterruptedException {
        LineQuery query = new LineQuery(gateway, job == null ? "" : job, futures, grep == null ? "" : grep);
        StatusReply status = ClusterStatus.ask(gateway);
        if (job != null || !futures.isEmpty()) {
            LostLines.of(gateway, status, job == null ? "" : job, futures).forEach(this::note);
        }
        List<String> seats = seats(status);
        boolean isPrefixed = seats.size() > 1 && futures.size() != 1;
        Optional<LogCursor> start = Optional.ofNullable(cursor).map(LogCursor::parse);
        if (tail != null) {
            MergedLines backward = new MergedLines(query, true, this::note);
            backward.add(seats, Optional.empty());
            List<SeatLine> last = backward.next(tail);
            print(reverse ? last : last.reversed(), isPrefixed, out);
            start = Optional.of(backward.end());
        }
        MergedLines lines = new MergedLines(query, reverse, this::note);
        lines.add(seats, start);
        if (tail == null) {
            printAll(lines, isPrefixed, out);
        }
        if (follow) {
            follow(gateway, lines, isPrefixed, out);
        }
        return 0;
    }

    private void printAll(MergedLines lines, boolean isPrefixed, PrintWriter out) {
        if (limit != null) {
            print(lines.next(limit), isPrefixed, out);
            if (lines.hasNext()) {
                note("more lines: the same with --cursor " + lines.cursor());
            }
            return;
        }
        List<SeatLine> batch = lines.next(BATCH_LINES);
        while (!batch.isEmpty() && !out.checkError()) {
            print(batch, isPrefixed, out);
            batch = lines.next(BATCH_LINES);
        }
    }

    private void follow(GatewayConnection gateway, MergedLines lines, boolean isPrefixed, PrintWriter out)
            throws InterruptedException {
        for (int round = 1; !out.checkError(); round++) {
            printAll(lines, isPrefixed, out);
            TimeUnit.MILLISECONDS.sleep(FOLLOW_MILLIS);
            if (round % FOLLOW_ROUNDS == 0 && named.isEmpty()) {
                lines.add(seats(ClusterStatus.ask(gateway)), Optional.empty());
            }
            lines.refresh();
        }
    }

    private List<String> seats(StatusReply status) {
        List<String> members =
                status.getMembersList().stream().map(MemberStatus::getSeat).toList();
        for (String seat : named) {
            if (!members.contains(seat)) {
                throw new InvalidInputException("No worker has the seat " + seat
                        + "; what a worker printed that has gone is lost. There are: " + String.join(", ", members));
            }
        }
        return named.isEmpty() ? members : named;
    }

    private void print(List<SeatLine> lines, boolean isPrefixed, PrintWriter out) {
        for (SeatLine line : lines) {
            if (format != Format.text) {
                out.println(format.element(line.json()));
                continue;
            }
            out.println((timestamps ? line.time() + " " : "")
                    + (isPrefixed ? line.seat() + " " : "")
                    + line.line().getText());
        }
        out.flush();
    }

    private void note(String line) {
        notes().println("ratchet: " + line);
        notes().flush();
    }
}
