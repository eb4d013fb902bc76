/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.Actor;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FormerState;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Locality;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Actors whose states are in the memory of a worker, and those whose code changes. */
class ActorMemoryTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final SubmitOptions ONCE = SubmitOptions.ofJob("memory").withMaxRetries(0);

    @TempDir
    private Path directory;

    private TestCluster cluster;
    private Ratchet ratchet;

    /** What can not be written down; a file says that it was closed. */
    static final class Line implements AutoCloseable {
        private final Thread thread = Thread.currentThread();
        private final String seat = TaskContext.current().seat();
        private final Path closed;
        private int calls;

        Line(String closed) {
            this.closed = Path.of(closed);
        }

        Line(String closed, int calls) {
            this(closed);
            this.calls = calls;
        }

        int next() {
            return thread == null ? -1 : ++calls;
        }

        @Override
        public void close() throws IOException {
            Files.writeString(closed, seat);
        }
    }

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(directory);
        cluster.start(0, 2);
        cluster.start(1, 2);
        ratchet = cluster.connect();
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    private Actor<Line> line(String name) {
        String closed = directory.resolve(name + " closed").toString();
        return ratchet.actor(ONCE, name, () -> new Line(closed)).inMemory();
    }

    @Test
    void aStateThatCanNotBeWrittenDownStaysFromCallToCall() throws Exception {
        Actor<Line> line = line("line");
        List<DurableFuture<Integer>> calls =
                IntStream.range(0, 30).mapToObj(n -> line.call(Line::next)).toList();

        assertThat(ratchet.awaitAll(calls, LIMIT))
                .isEqualTo(IntStream.rangeClosed(1, 30).boxed().toList());
        Set<String> seats = new TreeSet<>();
        for (int n = 31; n <= 40; n++) {
            assertThat(line.call(Line::next).get(LIMIT)).isEqualTo(n);
            seats.add(line.read(state -> state.seat).get(LIMIT));
        }
        assertThat(seats).hasSize(1);
        assertThat(cluster.check().violations()).isEmpty();
    }

    /** Calls of short actors are run before they are recorded. */
    private Actor<Line> shortLine(String name) {
        String closed = directory.resolve(name + " closed").toString();
        return ratchet.actor(SubmitOptions.ofJob("short").withShortTask(), name, () -> new Line(closed))
                .inMemory();
    }

    @Test
    void aStateStaysThroughACallThatSubmitsAnother() throws Exception {
        Actor<Line> line = shortLine("submitting");
        assertThat(line.call(Line::next).get(LIMIT)).isEqualTo(1);
        assertThat(line.call(state -> Ratchet.current().submit(() -> 10).get() + state.next())
                        .get(LIMIT))
                .isEqualTo(12);
        assertThat(line.call(Line::next).get(LIMIT)).isEqualTo(3);
        assertThat(directory.resolve("submitting closed")).doesNotExist();
    }

    @Test
    void aStateStaysThroughACallThatTakesLongerThanCallsBeforeTheirRecordMay() throws Exception {
        Actor<Line> line = shortLine("long");
        assertThat(line.call(Line::next).get(LIMIT)).isEqualTo(1);
        assertThat(line.call(state -> {
                            Thread.sleep(400);
                            return state.next();
                        })
                        .get(LIMIT))
                .isEqualTo(2);
        assertThat(line.call(Line::next).get(LIMIT)).isEqualTo(3);
        DurableFuture<Integer> failing = line.call(state -> {
            Thread.sleep(400);
            state.next();
            throw new IllegalStateException("after a while");
        });
        assertThatThrownBy(() -> failing.get(LIMIT)).hasMessageContaining("after a while");
        assertThat(line.call(Line::next).get(LIMIT)).isGreaterThan(3);
        assertThat(directory.resolve("long closed")).doesNotExist();
    }

    @Test
    void whatAFailedCallHasChangedStaysAndAResetClosesTheState() throws Exception {
        Actor<Line> line = line("failing");
        assertThat(line.call(Line::next).get(LIMIT)).isEqualTo(1);
        DurableFuture<Integer> failing = line.call(state -> {
            state.next();
            throw new IllegalStateException("after it has changed");
        });
        assertThatThrownBy(() -> failing.get(LIMIT)).hasMessageContaining("after it has changed");
        assertThat(line.call(Line::next).get(LIMIT)).isEqualTo(3);

        assertThat(line.reset().get(LIMIT)).isTrue();
        Awaitility.await("the state to be closed")
                .atMost(LIMIT)
                .until(() -> Files.exists(directory.resolve("failing closed")));
        assertThat(line.call(Line::next).get(LIMIT)).isEqualTo(1);
    }

    @Test
    void whatACancelledCallLeavesDoesNotTakeThePlaceOfWhatTheNextOneHasLeft() throws Exception {
        Actor<Line> line = line("cancelled");
        Path begun = directory.resolve("begun");
        Path goOn = directory.resolve("go on");
        Path over = directory.resolve("over");
        line.call(Line::next).get(LIMIT);
        DurableFuture<Integer> deaf = line.call(waiting(begun.toString(), goOn.toString(), over.toString()));
        await("the call to begin", begun);
        deaf.cancel();
        assertThat(line.call(Line::next).get(LIMIT))
                .as("the other state is in the cancelled call")
                .isEqualTo(1);

        Files.createFile(goOn);
        await("the cancelled call to end", over);
        await("its state to be closed", directory.resolve("cancelled closed"));
        assertThat(line.call(Line::next).get(LIMIT)).isEqualTo(2);
    }

    /** A call that no interrupt ends. */
    private static SerializableFunction<Line, Integer> waiting(String begun, String goOn, String over) {
        return state -> {
            Files.createFile(Path.of(begun));
            while (!Files.exists(Path.of(goOn))) {
                LockSupport.parkNanos(1_000_000);
                Thread.interrupted();
            }
            Files.createFile(Path.of(over));
            return state.next();
        };
    }

    private static void await(String what, Path file) {
        Awaitility.await(what).atMost(LIMIT).until(() -> Files.exists(file));
    }

    @Test
    void aStateEndsWithItsWorkerAndIsMadeAgainElsewhere() throws Exception {
        Actor<Line> line = line("moving");
        line.call(Line::next).get(LIMIT);
        String seat = line.read(state -> state.seat).get(LIMIT);
        cluster.worker(seat).kill();
        ratchet = cluster.connect();

        assertThat(line("moving").call(Line::next).get(LIMIT)).isEqualTo(1);
        assertThat(line("moving").read(state -> state.seat).get(LIMIT)).isNotEqualTo(seat);
    }

    @Test
    void aStateThatHasMovedIsNotUsedWhereItWas() throws Exception {
        Actor<Line> line = line("moved");
        SubmitOptions first = ONCE.withLocality(Locality.onSeat("orders-w-0").withRequired());
        SubmitOptions second = ONCE.withLocality(Locality.onSeat("orders-w-1").withRequired());

        assertThat(line.call(first, Line::next).get(LIMIT)).isEqualTo(1);
        assertThat(line.call(first, Line::next).get(LIMIT)).isEqualTo(2);
        assertThat(line.call(second, Line::next).get(LIMIT)).isEqualTo(1);
        assertThat(line.call(second, Line::next).get(LIMIT)).isEqualTo(2);
        assertThat(line.call(first, Line::next).get(LIMIT)).isEqualTo(1);
    }

    @Test
    void checkpointsOutliveTheWorker() throws Exception {
        Actor<Line> line = checkpointed(ratchet);
        for (int n = 1; n <= 8; n++) {
            assertThat(line.call(Line::next).get(LIMIT)).isEqualTo(n);
        }
        cluster.worker(line.read(state -> state.seat).get(LIMIT)).kill();

        assertThat(checkpointed(cluster.connect()).call(Line::next).get(LIMIT))
                .as("checkpoints were made after the calls 1, 4 and 7, of which a read is none")
                .isEqualTo(8);
    }

    private Actor<Line> checkpointed(Ratchet client) {
        String closed = directory.resolve("checkpointed closed").toString();
        return client.actor(ONCE, "checkpointed", () -> new Line(closed))
                .checkpointed(3, state -> state.calls, calls -> new Line(closed, calls));
    }

    @Test
    void whatCanNotBeIsRefused() throws Exception {
        Actor<Line> line = line("refused");
        assertThatThrownBy(() -> line.call(ONCE.withIsolation(), Line::next))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("can not be isolated");
        assertThatThrownBy(() -> line.withConcurrentCallsMax(2))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("has no copies");
        line.call(Line::next).get(LIMIT);
        Actor<Line> recorded = ratchet.actor(ONCE, "refused", () -> new Line("unused"));
        assertThatThrownBy(() -> recorded.read(Line::next).get(LIMIT)).hasMessageContaining("has no copies");
    }

    @Test
    void otherCodeMigratesWhatItsFormerHasLeft() throws Exception {
        Path jar = Path.of(ActorMemoryTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Ratchet before = cluster.connect(List.of(jar));
        Ratchet after = cluster.connect(List.of(jar, emptyJar()));
        Actor<List<String>> journal = before.actor(ONCE, "journal", () -> new ArrayList<>(List.of("first")));
        journal.call(lines -> lines.add("second")).get(LIMIT);

        Actor<List<String>> later =
                after.<List<String>>actor(ONCE, "journal", ArrayList::new).withMigration(ActorMemoryTest::migrated);
        assertThat(later.call(lines -> lines.add("fourth")).get(LIMIT)).isTrue();
        assertThat(later.read(List::toString).get(LIMIT)).isEqualTo("[first, second, migrated, fourth]");
        assertThat(before.<List<String>>actor(ONCE, "journal", ArrayList::new)
                        .read(List::toString)
                        .get(LIMIT))
                .as("what has no migration reads it as it is")
                .isEqualTo("[first, second, migrated, fourth]");
    }

    private Path emptyJar() throws IOException {
        Path jar = directory.resolve("other.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("other"));
        }
        return jar;
    }

    @SuppressWarnings("unchecked") // The test has written this type.
    private static List<String> migrated(FormerState former) throws Exception {
        List<String> lines = (List<String>) former.read();
        lines.add(former.code().length() == 64 ? "migrated" : "of code without a name");
        return lines;
    }
}
