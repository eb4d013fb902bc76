/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskFailedException;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.FetchRequest;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.ValueChunk;
import dev.ratchet.protocol.coordinator.v1.ReportedWorker;
import dev.ratchet.protocol.coordinator.v1.WorkerState;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers as processes: started, killed, told to drain and to end, as a kubelet and an operator would. */
class WorkerProcessTest {

    private static final Duration LONG = Duration.ofMinutes(2);

    @TempDir
    Path directory;

    @Test
    void workersTakeTheirSeatsSurviveKillsDrainAndEndInOrder() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            Process first = cluster.start(cluster.worker(0));
            await().atMost(LONG).until(() -> cluster.isReady(0));
            assertThat(cluster.awaitClusterReport(0).getCoordinatorSeat()).isEqualTo(TestCluster.seat(0));
            Process second = cluster.start(cluster.worker(1));
            await().atMost(LONG).until(() -> cluster.isReady(1));
            cluster.commit(0, 1, 0, 1);

            second.destroyForcibly().waitFor();
            Process secondAgain = cluster.start(cluster.worker(1));
            await().atMost(LONG).until(() -> incarnation(cluster, 1) == 2 && cluster.isReady(1));
            assertThat(cluster.get(1, "/metrics").body())
                    .contains("ratchet_seat_incarnation{cluster=\"orders\",seat=\"orders-w-1\"} 2.0")
                    .contains("ratchet_futures_transitions_total{cluster=\"orders\",event=\"claim\",");

            cluster.commit(1, 2, 0);
            await().atMost(LONG).until(() -> cluster.worker(cluster.clusterReport(0), 1)
                    .map(ReportedWorker::getDrained)
                    .orElse(false));
            assertThat(cluster.isReady(1))
                    .as("a draining worker is not for clients")
                    .isFalse();
            secondAgain.destroy();
            assertThat(TestCluster.exitCode(secondAgain)).isZero();
            await("the seat to be told as free").atMost(LONG).until(() -> cluster.worker(cluster.clusterReport(0), 1)
                    .filter(seat -> seat.getState() == WorkerState.WORKER_STATE_MUST_DIE)
                    .isPresent());

            first.destroy();
            assertThat(TestCluster.exitCode(first)).isZero();
            assertThat(Files.readString(cluster.log(0)))
                    .contains("seat=orders-w-0 incarnation=1")
                    .contains("Seat given free: seat=orders-w-0 incarnation=1 drained=true")
                    .contains("outcome=DONE exitCode=0");
        }
    }

    @Test
    void aJobEndsWithEveryResultAlthoughAWorkerIsKilledInTheMiddle() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(cluster.worker(0));
            Process second = cluster.start(cluster.worker(1));
            await().atMost(LONG).until(() -> cluster.isReady(0) && cluster.isReady(1));
            try (Ratchet ratchet = Ratchet.connect(cluster.connection(0))) {
                SubmitOptions options = SubmitOptions.defaults().withJob("squares");
                List<DurableFuture<Integer>> squares = new ArrayList<>();
                await().atMost(LONG).until(() -> {
                    squares.addAll(ratchet.map(options, range(squares.size(), 50), new SlowSquare()));
                    return realizedBy(cluster, 1) > 5;
                });
                squares.addAll(ratchet.map(options, range(squares.size(), 200), new SlowSquare()));
                second.destroyForcibly().waitFor();
                cluster.start(cluster.worker(1));
                assertThat(ratchet.awaitAll(squares, LONG))
                        .containsExactlyElementsOf(range(0, squares.size()).stream()
                                .map(number -> number * number)
                                .toList());
            }
        }
    }

    @Test
    void aTaskThatCallsExitHasFailedAndItsWorkerEndsAtOnceAndInOrder() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            Process worker = cluster.start(cluster.worker(0));
            await().atMost(LONG).until(() -> cluster.isReady(0));
            FutureId id;
            try (Ratchet ratchet = Ratchet.connect(cluster.connection(0))) {
                id = ratchet.submit(SubmitOptions.ofJob("exit").withMaxRetries(0), new Exits())
                        .id();
            }
            assertThat(TestCluster.exitCode(worker)).isZero();
            assertThat(Files.readString(cluster.log(0)))
                    .contains("Seat given free: seat=orders-w-0 incarnation=1 drained=true");

            cluster.start(cluster.worker(0));
            await().atMost(LONG).until(() -> cluster.isReady(0));
            try (Ratchet ratchet = Ratchet.connect(cluster.connection(0))) {
                assertThatThrownBy(() -> ratchet.future(id).get(LONG))
                        .isInstanceOf(TaskFailedException.class)
                        .hasMessageContaining("The code has called System.exit, which ends the worker orders-w-0");
            }
        }
    }

    @Test
    void tasksThatComputeInEverySlotHoldUpNeitherProbesNorValues() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(cluster.worker(0));
            await().atMost(LONG).until(() -> cluster.isReady(0));
            Path end = directory.resolve("end");
            try (Ratchet ratchet = Ratchet.connect(cluster.connection(0))) {
                List<DurableFuture<Boolean>> computing = Stream.of("first", "second")
                        .map(name -> directory.resolve(name).toString())
                        .map(begun ->
                                ratchet.submit(SubmitOptions.ofJob("compute"), new Computes(begun, end.toString())))
                        .toList();
                await("both slots to be taken")
                        .atMost(LONG)
                        .until(() ->
                                Files.exists(directory.resolve("first")) && Files.exists(directory.resolve("second")));

                assertThat(cluster.get(0, "/livez").statusCode()).isEqualTo(200);
                assertThat(cluster.get(0, "/readyz").statusCode()).isEqualTo(200);
                assertThat(ratchet.put(new byte[1_000_000]).get(LONG)).hasSize(1_000_000);

                Files.createFile(end);
                assertThat(ratchet.awaitAll(computing, LONG)).containsOnly(true);
            }
        }
    }

    @Test
    void aProcessThatIsGivenTheDirectoryOfAnotherEndsAndTouchesNothing() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(cluster.worker(0));
            await().atMost(LONG).until(() -> cluster.isReady(0));
            ProcessBuilder second = cluster.worker(1);
            String data = cluster.worker(0).environment().get("RATCHET_DATA_DIR");
            second.environment().put("RATCHET_DATA_DIR", data);
            Object log = Files.readAttributes(Path.of(data, "log", "log.0"), BasicFileAttributes.class)
                    .fileKey();

            assertThat(TestCluster.exitCode(cluster.start(second))).isEqualTo(ExitCode.MISCONFIGURED.number());

            assertThat(Files.readString(cluster.log(1))).contains("one data directory is for one worker at a time");
            assertThat(Files.readAttributes(Path.of(data, "log", "log.0"), BasicFileAttributes.class)
                            .fileKey())
                    .as("the file of the first one's log")
                    .isEqualTo(log);
        }
    }

    @Test
    void aWorkerThatIsKilledAgainAndAgainLeavesNoMoreThanOneFolderOfSocketsAndNoProcess() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            Path temporary = Path.of(cluster.worker(0).environment().get("RATCHET_TEMP_DIR"));
            SubmitOptions isolated = SubmitOptions.ofJob("isolated").withIsolation();
            List<ProcessHandle> processes = new ArrayList<>();
            for (int life = 1; life <= 3; life++) {
                ProcessBuilder builder = cluster.worker(0);
                builder.command().add(1, "-Djava.io.tmpdir=" + temporary);
                Process worker = cluster.start(builder);
                await().atMost(LONG).until(() -> cluster.isReady(0));
                try (Ratchet ratchet = Ratchet.connect(cluster.connection(0))) {
                    assertThat(ratchet.map(isolated, List.of(life), new SlowSquare())
                                    .getFirst()
                                    .get(LONG))
                            .isEqualTo(life * life);
                }
                worker.children().forEach(processes::add);
                worker.destroyForcibly().waitFor();
                try (Stream<Path> left = Files.list(temporary)) {
                    assertThat(left.map(Path::getFileName)
                                    .map(Path::toString)
                                    .filter(name -> name.startsWith("ratchet-tasks-")))
                            .as("life %s", life)
                            .hasSize(1);
                }
            }
            assertThat(processes).hasSizeGreaterThanOrEqualTo(3);
            await().atMost(LONG).until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
        }
    }

    /** One worker passes on what another one holds: when its client goes away, the other must let go of the result. */
    @Test
    void aClientThatGoesWhileItReceivesWhatIsPassedOnLeavesNothingHeld() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(cluster.worker(0));
            cluster.start(cluster.worker(1));
            await().atMost(LONG).until(() -> cluster.isReady(0) && cluster.isReady(1));
            double free = cluster.figure(0, "ratchet_object_store_free_bytes");
            try (Ratchet ratchet = Ratchet.connect(cluster.connection(1))) {
                DurableFuture<byte[]> value = ratchet.put(new byte[8_000_000]);
                await().atMost(LONG).until(() -> ratchet.transfer(value, TestCluster.seat(0))
                        .equals(List.of(TestCluster.seat(0))));
                ManagedChannel channel = cluster.clientChannel(1);
                Iterator<ValueChunk> chunks = GatewayGrpc.newBlockingStub(channel)
                        .fetch(FetchRequest.newBuilder()
                                .setId(Ids.bytes(value.id()))
                                .build());
                assertThat(chunks.next().getBytes()).isGreaterThanOrEqualTo(8_000_000);
                channel.shutdownNow();

                assertThat(ratchet.deleteAll(List.of(value))).isEqualTo(1);
            }
            await().atMost(LONG).untilAsserted(() -> assertThat(cluster.figure(0, "ratchet_object_store_free_bytes"))
                    .isEqualTo(free));
        }
    }

    @Test
    void aClientThatIsNotListedAnyMoreIsRefusedWithoutRestartAndWithALineInTheLog() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            Process worker = cluster.start(cluster.worker(0));
            await().atMost(LONG).until(() -> cluster.isReady(0));
            try (Ratchet ratchet = Ratchet.connect(cluster.connection(0))) {
                assertThat(square(ratchet, 3)).containsExactly(9);
                cluster.admit("default");
                await().atMost(LONG).until(() -> Files.readString(cluster.log(0))
                        .contains("Clients admitted from now on: [default]"));
                assertThatThrownBy(() -> square(ratchet, 3))
                        .hasStackTraceContaining("is not among the clients of this cluster");
                assertThat(Files.readString(cluster.log(0)))
                        .contains("Refused: caller=ratchet://team-a/orders/client/batch");
                cluster.admit("default", "batch");
                await().atMost(LONG).ignoreExceptions().until(() -> square(ratchet, 4)
                        .equals(List.of(16)));
            }
            assertThat(worker.isAlive()).as("the process was not restarted").isTrue();
        }
    }

    @Test
    void aWorkerWithoutItsStoreEndsWithTheLeaseThatItWasTold() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            ProcessBuilder builder = cluster.worker(0);
            builder.environment().put("RATCHET_LEASE", "beatMillis=300,workerTtlMillis=8000");
            Process worker = cluster.start(builder);
            await().atMost(LONG).until(() -> cluster.isReady(0));
            assertThat(cluster.get(0, "/livez").statusCode()).isEqualTo(200);
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(cluster.get(0, "/metrics").body())
                            .contains("ratchet_heartbeats_total{")
                            .contains("ratchet_seats{cluster=\"orders\",seat=\"orders-w-0\",state=\"HEALTHY\"} 1.0"));

            cluster.stopStore();

            assertThat(TestCluster.exitCode(worker)).isEqualTo(ExitCode.SEAT_LOST.number());
            assertThat(Files.readString(cluster.log(0)))
                    .contains("the lease is over: no heartbeat has succeeded for 8000 ms")
                    .contains("seat=orders-w-0 incarnation=1 term=1 ");
        }
    }

    private static List<Integer> square(Ratchet ratchet, int number) throws Exception {
        return ratchet.awaitAll(ratchet.map(List.of(number), new SlowSquare()), LONG);
    }

    private static List<Integer> range(int first, int count) {
        return IntStream.range(first, first + count).boxed().toList();
    }

    private static double realizedBy(TestCluster cluster, int ordinal) throws IOException, InterruptedException {
        return cluster.get(ordinal, "/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("ratchet_futures_transitions_total{"))
                .filter(line -> line.contains("event=\"realize\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    @Test
    void whatCanNotBeUsedIsNamedAndEndsWithTwo() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            ProcessBuilder mistaken = cluster.worker(0);
            mistaken.environment().put("RATCHET_THREADS", "many");
            mistaken.environment().remove("RATCHET_HOST");
            assertThat(TestCluster.exitCode(cluster.start(mistaken))).isEqualTo(2);
            assertThat(Files.readAllLines(cluster.log(0)))
                    .containsExactly(
                            "ratchet worker: RATCHET_HOST is not set: set it as the operator does for container"
                                    + " 'worker'",
                            "ratchet worker: RATCHET_THREADS is 'many', which is not a whole number from 1 to 4096");
            ProcessBuilder stranger = cluster.worker(1);
            stranger.environment().put("RATCHET_SEAT", "orders-w-2");
            assertThat(TestCluster.exitCode(cluster.start(stranger))).isEqualTo(2);
            assertThat(Files.readString(cluster.log(1)))
                    .contains("The certificate in RATCHET_TLS_DIR is that of"
                            + " ratchet://team-a/orders/worker/orders-w-1, this process is"
                            + " ratchet://team-a/orders/worker/orders-w-2");
        }
    }

    private static long incarnation(TestCluster cluster, int ordinal) {
        return cluster.worker(cluster.clusterReport(0), ordinal)
                .map(ReportedWorker::getIncarnation)
                .orElse(0L);
    }
}
