/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.environment.Environment;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.cluster.TestCluster;
import dev.ratchet.futures.cluster.TestWorker;
import dev.ratchet.futures.log.LogOwner;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The lines of two workers are one log. */
@Timeout(120)
class LogsCommandTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final LogOwner RED = new LogOwner(FutureId.random(), "red");
    private static final LogOwner BLUE = new LogOwner(FutureId.random(), "blue");

    private TestCluster cluster;
    private TestWorker left;
    private TestWorker right;
    private List<String> out = List.of();
    private String err = "";

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        cluster = new TestCluster(directory);
        left = cluster.start(0, 2);
        right = cluster.start(1, 2);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    @Test
    void linesOfAllWorkersComeByTimeAndByWhatIsAskedFor() throws Exception {
        write(left, RED, "one apple");
        write(right, RED, "two pears");
        write(left, BLUE, "three apples");
        write(right, null, "four apples");

        run("logs");
        assertThat(out)
                .containsExactly(
                        "orders-w-0 one apple",
                        "orders-w-1 two pears",
                        "orders-w-0 three apples",
                        "orders-w-1 four apples");
        run("logs", "--reverse", "--grep", "apples?$");
        assertThat(out).containsExactly("orders-w-1 four apples", "orders-w-0 three apples", "orders-w-0 one apple");
        run("logs", "--job", "red", "--head", "1");
        assertThat(out).containsExactly("orders-w-0 one apple");
        run("logs", "--tail", "2");
        assertThat(out).containsExactly("orders-w-0 three apples", "orders-w-1 four apples");
        run("logs", "orders-w-1");
        assertThat(out).containsExactly("two pears", "four apples");
        run("logs", "orders-w-1", "-o", "json", "--job", "red");
        assertThat(new ObjectMapper().readTree(out.getFirst()).path("text").asText())
                .isEqualTo("two pears");
    }

    @Test
    void pagesGoOnWhereTheOneBeforeHasEndedInBothDirections() throws Exception {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            TestWorker worker = i % 3 == 0 ? left : right;
            write(worker, RED, "line " + i);
            all.add((i % 3 == 0 ? "orders-w-0" : "orders-w-1") + " line " + i);
        }
        assertThat(pages()).isEqualTo(all);
        assertThat(pages("--reverse")).isEqualTo(all.reversed());
    }

    @Test
    void followingBeginsBehindTheLastLinesAndLosesNone() throws Exception {
        IntStream.range(0, 5).forEach(i -> write(left, RED, "before " + i));
        StringWriter seen = new StringWriter();
        Thread following = Thread.ofVirtual()
                .start(() -> RatchetCommand.commandLine(RatchetCommand.partsWith(ToCluster::new))
                        .setOut(new PrintWriter(seen))
                        .setErr(new PrintWriter(new StringWriter()))
                        .execute("logs", "--tail", "2", "-f"));
        awaitLine(seen, "orders-w-0 before 4");
        write(right, RED, "after");
        awaitLine(seen, "orders-w-1 after");
        following.interrupt();
        following.join(LIMIT);

        assertThat(seen.toString().lines())
                .containsExactly("orders-w-0 before 3", "orders-w-0 before 4", "orders-w-1 after");
    }

    @Test
    void whatIsLostWithAWorkerIsSaid() throws Exception {
        try (Ratchet ratchet = cluster.connect()) {
            DurableFuture<byte[]> future = ratchet.submit(SubmitOptions.ofJob("red"), CliTasks.bytes(1));
            assertThat(future.get(LIMIT)).hasSize(1);
            String seat = cluster.record(future.id()).getClaim().getSeat();
            TestWorker ran = seat.equals("orders-w-0") ? left : right;
            write(ran == left ? right : left, RED, "still there");
            assertThat(ran.leave(30_000)).isTrue();
            run("logs", "--job", "red");
            assertThat(err).contains("ratchet: " + seat, "can not be asked for its lines");
            assertThat(out).singleElement().asString().endsWith("still there");

            cluster.start(ran == left ? 0 : 1, 2);
            run("logs", "--job", "red");
            assertThat(err)
                    .isEqualTo(
                            "ratchet: " + seat + " has started again since: what its former process printed is lost");
            assertThat(out).singleElement().asString().endsWith("still there");
        }
    }

    @Test
    void whatCanNotBeAskedForIsRefused() {
        refused("'(' is no regular expression", "--grep", "(");
        refused("--tail does not go with --limit", "--tail", "1", "--limit", "1");
        refused("--follow does not go with --limit or --reverse", "-f", "--reverse");
        refused("'abc' is no cursor", "--cursor", "abc");
        refused("--limit is 1 to 100000, not 0", "--limit", "0");
        refused("No worker has the seat orders-w-7", "orders-w-7");
    }

    private void refused(String message, String... options) {
        List<String> words = new ArrayList<>(List.of("logs"));
        words.addAll(List.of(options));
        assertThat(run(words.toArray(String[]::new))).isEqualTo(2);
        assertThat(err).contains(message);
    }

    /** Two lines at a time, by the cursors that are told. */
    private List<String> pages(String... more) {
        List<String> lines = new ArrayList<>();
        List<String> words = new ArrayList<>(List.of("logs", "--limit", "2"));
        words.addAll(List.of(more));
        List<String> next = words;
        do {
            run(next.toArray(String[]::new));
            assertThat(out).hasSizeBetween(1, 2);
            lines.addAll(out);
            next = new ArrayList<>(words);
            next.addAll(List.of("--cursor", err.substring(err.lastIndexOf(' ') + 1)));
        } while (err.contains("more lines"));
        return lines;
    }

    private static void awaitLine(StringWriter seen, String line) {
        Awaitility.await().alias(line).atMost(LIMIT).until(() -> seen.toString().contains(line + "\n"));
    }

    /** Writes at a time of its own, so that the order is known. */
    private static void write(TestWorker worker, @Nullable LogOwner owner, String text) {
        worker.ring().append(owner, text);
        long now = System.currentTimeMillis();
        while (System.currentTimeMillis() == now) {
            Thread.onSpinWait();
        }
    }

    private int run(String... arguments) {
        StringWriter said = new StringWriter();
        StringWriter errors = new StringWriter();
        int code = RatchetCommand.commandLine(RatchetCommand.partsWith(ToCluster::new))
                .setOut(new PrintWriter(said))
                .setErr(new PrintWriter(errors))
                .execute(arguments);
        out = said.toString().lines().toList();
        err = errors.toString().strip();
        return code;
    }

    private final class ToCluster extends ContextConnection {
        @Override
        GatewayConnection open(Environment environment) {
            return cluster.connection();
        }
    }
}
