/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.TaskFailedException;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever an isolated task does to its process, alone in it or beside tasks that wait: it fails by what it did, nobody
 * else does, and nothing is left. One worker with one slot, of which two processes may be suspended before tasks share
 * them.
 */
@OnCluster(threads = 1)
class IsolatedEndingTest {

    private static final Duration LIMIT = Duration.ofMinutes(5);
    /** So many tasks wait for each other that the last ones are guests in a process of others. */
    private static final int SHARING_HEIGHT = 4;

    /** More than travels in a message, so that it is handed over in a file. */
    private static final int ARGUMENT_BYTES = 300_000;

    private final TestCluster cluster;
    private final Ratchet ratchet;

    @TempDir
    Path directory;

    private Path log;

    IsolatedEndingTest(TestCluster cluster, Ratchet ratchet) {
        this.cluster = cluster;
        this.ratchet = ratchet;
    }

    @BeforeEach
    void emptyLog() {
        log = directory.resolve("log");
    }

    private List<Long> pids() throws IOException {
        return Files.readAllLines(log).stream()
                .map(line -> Long.parseLong(line.substring(0, line.indexOf(' '))))
                .toList();
    }

    private Set<FutureId> ids() throws IOException {
        return Files.readAllLines(log).stream()
                .map(line -> FutureId.parse(line.substring(line.indexOf(' ') + 1)))
                .collect(Collectors.toSet());
    }

    private TestWorker worker() {
        return cluster.worker("orders-w-0");
    }

    private void assertNothingIsLeft() throws Exception {
        assertThat(ratchet.submit(Tasks.returning(1)).get(LIMIT))
                .as("the slot is free")
                .isEqualTo(1);
        assertThat(ratchet.submit(Deeds.ISOLATED, Tasks.returning(2)).get(LIMIT))
                .as("other tasks have a process")
                .isEqualTo(2);
        Set<Long> seen = new TreeSet<>(pids());
        Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertThat(
                        seen.stream().filter(pid -> ProcessHandle.of(pid).isPresent()))
                .as("processes, of which one waits for its next task")
                .hasSizeLessThanOrEqualTo(1));
        Awaitility.await().atMost(LIMIT).until(() -> worker().figure("futures_claims") == 0);
        Path files = cluster.directory()
                .resolve(worker().address().replace(':', '-'))
                .resolve("isolated");
        try (Stream<Path> left = Files.list(files)) {
            assertThat(left).as("files in which values were handed over").isEmpty();
        }
    }

    private void assertFailedBy(Deeds.Deed deed, FutureRecord record) {
        assertThat(record.getState()).isEqualTo(State.STATE_FAILED);
        assertThat(record.getNumAttempts()).isEqualTo(1);
        assertThat(record.getFailure().getType()).isEqualTo(deed.type);
        assertThat(record.getFailure().getMessage()).contains(deed.message);
    }

    @ParameterizedTest
    @EnumSource
    void whoeverHasAProcessAloneFailsByWhatItDid(Deeds.Deed deed) throws Exception {
        assertThat(ratchet.submit(Deeds.ISOLATED, Tasks.returning(0)).get(LIMIT))
                .as("a process, whose start is not for the task")
                .isZero();
        Deeds.Doing task = new Deeds.Doing(deed, log.toString(), new byte[ARGUMENT_BYTES]);
        DurableFuture<Integer> future = ratchet.submit(deed.options(), task);

        assertThatThrownBy(() -> future.get(LIMIT)).isInstanceOf(TaskFailedException.class);

        assertFailedBy(deed, cluster.record(future.id()));
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @EnumSource
    void whoeverIsAGuestFailsByWhatItDidAndNobodyBesideItDoes(Deeds.Deed deed) throws Exception {
        Deeds.Waiting top = new Deeds.Waiting(SHARING_HEIGHT, deed, log.toString());

        assertThat(ratchet.submit(Deeds.ISOLATED, top).get(LIMIT)).isEqualTo(SHARING_HEIGHT);

        List<FutureRecord> records = ids().stream().map(cluster::record).toList();
        assertThat(records).hasSize(SHARING_HEIGHT + 1);
        assertThat(new TreeSet<>(pids().subList(0, SHARING_HEIGHT + 1)))
                .as("processes, of which one is shared")
                .hasSize(2);
        List<FutureRecord> failed = records.stream()
                .filter(record -> record.getState() != State.STATE_REALIZED)
                .toList();
        assertThat(failed).hasSize(1);
        assertFailedBy(deed, failed.getFirst());
        assertThat(records).as("although nobody had another attempt").allMatch(record -> record.getNumAttempts() == 1);
        assertNothingIsLeft();
    }
}
