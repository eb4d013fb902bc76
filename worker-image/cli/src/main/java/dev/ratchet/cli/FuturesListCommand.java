/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.protocol.client.v1.FutureDescription;
import dev.ratchet.protocol.logs.v1.TaskProgress;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ratchet futures list}: exact, also of what ended long ago. */
@Command(
        name = "list",
        description = "Lists futures, those of all time; all options together narrow the list.",
        mixinStandardHelpOptions = true)
final class FuturesListCommand extends GatewayCommand {

    @Mixin
    private FutureFilter filter;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "at most so many, 1 to 1000000 (default: ${DEFAULT-VALUE})")
    private int limit = 1_000;

    @Override
    void check() {
        filter.check();
        if (limit < 1 || limit > 1_000_000) {
            throw new InvalidInputException("--limit is 1 to 1000000, not " + limit + ".");
        }
    }

    @Override
    int ask(GatewayConnection gateway, PrintWriter out) {
        List<FutureDescription> found = new ArrayList<>();
        FutureFilter.read(gateway, filter.request().setLimit(Math.min(1_000, limit + 1)), future -> {
            found.add(future);
            return found.size() <= limit;
        });
        Table table =
                new Table("FUTURE", "STATE", "JOB", "NAME", "ATTEMPTS", "WORKER", "SUBMITTED", "MILLIS", "PROGRESS");
        found.stream().limit(limit).forEach(future -> table.row(cells(future)));
        table.print(out);
        if (found.isEmpty()) {
            noteEmpty(filter.isEmpty() ? "There are no futures." : "No future is like that.");
        }
        if (found.size() > limit) {
            out.println("... more than " + limit + " futures: raise --limit");
        }
        return 0;
    }

    /** How far the attempt that runs says it is: {@code 40/100 (40 %) note}. */
    static String progress(FutureDescription future) {
        if (!future.hasProgress()) {
            return "-";
        }
        TaskProgress said = future.getProgress();
        long percent = said.getTotal() == 0 ? 0 : 100 * said.getDone() / said.getTotal();
        String share = said.getTotal() == 0 ? "" : "/" + said.getTotal() + " (" + percent + " %)";
        return (said.getDone() + share + " " + said.getNote()).strip();
    }

    private static Object[] cells(FutureDescription future) {
        FutureId id = Ids.of(future.getId());
        long millis =
                future.getDoneWallMillis() == 0 ? 0 : future.getDoneWallMillis() - future.getSubmittedWallMillis();
        return new Object[] {
            id,
            Lifecycle.word(future.getState()),
            future.getJob(),
            future.getName().isEmpty() ? "-" : future.getName(),
            future.getAttempts() + "/" + (future.getMaxRetries() + 1),
            future.getClaim().getSeat().isEmpty() ? "-" : future.getClaim().getSeat(),
            Instant.ofEpochMilli(future.getSubmittedWallMillis()),
            future.getDoneWallMillis() == 0 ? "-" : millis,
            progress(future)
        };
    }
}
