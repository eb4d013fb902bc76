/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureNotFoundException;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Locality;
import dev.ratchet.client.ObjectLostException;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values that workers hold: put, copied, moved, deleted. */
class ObjectsTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int LARGE = 300_000;

    /** Fits into the memory of an object store. */
    private static final int IN_MEMORY = 100_000;

    @TempDir
    private Path directory;

    private final ObservedDatabase observed = new ObservedDatabase();
    private TestCluster cluster;
    private TestWorker first;
    private TestWorker second;
    private Ratchet ratchet;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(directory, observed.wrapper());
        first = cluster.start(0, 2);
        second = cluster.start(1, 2);
        ratchet = cluster.connect();
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    @Test
    void aPutWithAKeyIsRefused() {
        assertThatThrownBy(() -> ratchet.put(SubmitOptions.defaults().withKey("best"), 1))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("given best. Submit a task with that key");
    }

    @Test
    void aValueThatAProgramPutsIsHeldByTwoWorkersAndOutlivesOne() throws Exception {
        DurableFuture<byte[]> value = ratchet.put(Tasks.bytes(LARGE));
        DurableFuture<Integer> length = ratchet.then(SubmitOptions.defaults(), value, Tasks.length());

        assertThat(length.get(LIMIT)).isEqualTo(LARGE);
        assertThat(first.engine().now().objects()).isEqualTo(1);
        assertThat(second.engine().now().objects()).isEqualTo(1);

        first.kill();
        assertThat(cluster.connect().<byte[]>future(value.id()).get(LIMIT)).isEqualTo(Tasks.bytes(LARGE));
    }

    @Test
    void whatTakesAValueThatIsStillOnItsWayWaitsForIt() throws Exception {
        SerializableFunction<byte[], Integer> length = Tasks.length();
        assertThat(ratchet.then(SubmitOptions.defaults(), ratchet.put(new byte[1]), length)
                        .get(LIMIT))
                .as("nothing but the value has to be uploaded")
                .isEqualTo(1);

        DurableFuture<byte[]> value = ratchet.put(Tasks.bytes(20_000_000));
        DurableFuture<Integer> taking = ratchet.then(SubmitOptions.defaults(), value, length);
        DurableFuture<Integer> behind = ratchet.reduce(SubmitOptions.defaults(), List.of(taking, taking), List::size);

        assertThat(taking.get(LIMIT)).isEqualTo(20_000_000);
        assertThat(behind.get(LIMIT)).isEqualTo(2);
    }

    @Test
    void aValueIsRecordedWithOneWayToTheStoreForAllThatIsReadAndNobodyIsAskedWhatHasBecomeOfIt() {
        DurableFuture<byte[]> value = ratchet.put(Tasks.bytes(LARGE));
        value.submitted().toCompletableFuture().join();

        assertThat(value.isDone()).isTrue();
        byte[] record = cluster.store().keys().records.key(value.id().value());
        assertThat(observed.triesThatSet(record)).isNotEmpty().allSatisfy(one -> {
            assertThat(one.reads().get()).isGreaterThanOrEqualTo(3); // the future, and who holds it
            assertThat(one.first()).hasValue(one.reads().get());
        });
    }

    @Test
    void smallValuesTravelWithOtherSubmitsAndAreFuturesLikeOthers() throws Exception {
        List<DurableFuture<String>> values = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            values.add(ratchet.put(SubmitOptions.ofJob("puts").withName("value"), "value " + i));
        }
        DurableFuture<Integer> length = ratchet.then(SubmitOptions.ofJob("puts"), values.get(17), String::length);

        assertThat(length.get(LIMIT)).isEqualTo("value 17".length());
        for (int i = 0; i < 300; i++) {
            assertThat(values.get(i).get(LIMIT)).isEqualTo("value " + i);
        }
        FutureRecord record = cluster.record(values.get(5).id());
        assertThat(record.getName()).isEqualTo("value");
        assertThat(record.getSchedulingSpec().getNoReconstruction()).isTrue();
        assertThat(cluster.connect().<String>future(values.get(9).id()).get(LIMIT))
                .isEqualTo("value 9");
        assertThat(ratchet.summary("puts").count(FutureState.REALIZED)).isEqualTo(301);
        assertThat(cluster.check().violations()).isEmpty();
    }

    @Test
    void aValueThatIsLostWithAllItsHoldersIsLostForGood() throws Exception {
        DurableFuture<byte[]> value = ratchet.put(Tasks.bytes(LARGE));
        value.submitted().toCompletableFuture().join();

        first.kill();
        second.kill();
        cluster.start(0, 1);
        cluster.start(1, 1);

        assertThatThrownBy(() -> cluster.connect().future(value.id()).get(LIMIT))
                .isInstanceOf(ObjectLostException.class)
                .hasMessageContaining("can not or must not be computed again");
    }

    @Test
    void aSmallValueIsKeptInTheStore() throws Exception {
        DurableFuture<String> value = ratchet.put(SubmitOptions.ofJob("small"), "hello");

        assertThat(value.get(LIMIT)).isEqualTo("hello");
        assertThat(ratchet.replicate(value, 2)).isEmpty();
        assertThat(ratchet.summary("small").count(FutureState.REALIZED)).isEqualTo(1);
        assertThat(first.engine().now().objects()).isZero();
    }

    @Test
    void aValueThatATaskPutsIsHeldByItsWorker() throws Exception {
        DurableFuture<String> id = ratchet.submit(Tasks.putting(LARGE));
        DurableFuture<byte[]> value = ratchet.future(dev.ratchet.client.FutureId.parse(id.get(LIMIT)));

        assertThat(value.get(LIMIT)).isEqualTo(Tasks.bytes(LARGE));
        assertThat(first.engine().now().objects() + second.engine().now().objects())
                .isEqualTo(1);
    }

    @Test
    void aResultIsCopiedAndMovedAsAsked() throws Exception {
        DurableFuture<byte[]> result = ratchet.submit(() -> Tasks.bytes(LARGE));
        ratchet.await(List.of(result), 1, LIMIT);

        assertThat(ratchet.replicate(result, 2)).containsExactlyInAnyOrder("orders-w-0", "orders-w-1");
        assertThat(ratchet.replicate(result, 16))
                .as("no more than there are workers")
                .hasSize(2);
        assertThat(ratchet.transfer(result, "orders-w-1")).containsExactly("orders-w-1");
        Awaitility.await().atMost(LIMIT).until(() -> first.engine().now().objects() == 0);
        assertThat(ratchet.transfer(result, "orders-w-0")).containsExactly("orders-w-0");
        assertThat(result.get(LIMIT)).isEqualTo(Tasks.bytes(LARGE));
        assertThatThrownBy(() -> ratchet.transfer(result, "orders-w-7"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("No worker has the seat orders-w-7");
        assertThatThrownBy(() -> ratchet.replicate(result, 17)).isInstanceOf(InvalidInputException.class);
    }

    @Test
    void aResultSurvivesHoweverOftenItGoesBackAndForthAtOnce() throws Exception {
        DurableFuture<byte[]> value = ratchet.put(Tasks.bytes(LARGE));
        for (int i = 0; i < 30; i++) {
            String target = "orders-w-" + i % 2;
            assertThat(ratchet.transfer(value, target)).as("transfer %s", i).containsExactly(target);
        }

        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> first.engine().now().objects() == 0
                        && second.engine().now().objects() == 1);
        assertThat(value.get(LIMIT)).isEqualTo(Tasks.bytes(LARGE));
    }

    @Test
    void othersHearOfTheRoomForResultsAndSpareWhoHasNone() throws Exception {
        TestWorker small = cluster.start(2, 2, LARGE);
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> first.freeObjectBytesOf("orders-w-1") > 2 * LARGE
                        && second.freeObjectBytesOf("orders-w-0") > 2 * LARGE
                        && first.freeObjectBytesOf("orders-w-2") > 0
                        && first.freeObjectBytesOf("orders-w-2") < 2 * LARGE);
        long before = second.freeObjectBytesOf("orders-w-0");
        DurableFuture<byte[]> result = ratchet.submit(
                SubmitOptions.defaults()
                        .withLocality(Locality.onSeat("orders-w-0").withRequired()),
                () -> Tasks.bytes(2 * LARGE));
        ratchet.await(List.of(result), 1, LIMIT);

        assertThat(ratchet.replicate(result, 3)).containsExactlyInAnyOrder("orders-w-0", "orders-w-1");
        Awaitility.await().atMost(LIMIT).until(() -> second.freeObjectBytesOf("orders-w-0") <= before - 2 * LARGE);
        assertThat(small.figure("objects_refused_total")).isZero();
    }

    /** The algorithm that datasets had before there were datasets: split and put, move, delete. */
    @Test
    void partitionsAreSplitByPutMovedByTransferAndTheOldOnesDeleted() throws Exception {
        SubmitOptions job = SubmitOptions.ofJob("repartition");
        List<DurableFuture<byte[]>> old =
                new ArrayList<>(ratchet.map(job, List.of(2 * LARGE, 2 * LARGE + 2, 2 * LARGE + 4), Tasks::bytes));
        List<DurableFuture<byte[]>> parts = new ArrayList<>();
        for (DurableFuture<byte[]> partition : old) {
            for (String id : ratchet.then(job, partition, Tasks.halving()).get(LIMIT)) {
                parts.add(ratchet.future(dev.ratchet.client.FutureId.parse(id)));
            }
        }
        for (int i = 0; i < parts.size(); i++) {
            assertThat(ratchet.transfer(parts.get(i), "orders-w-" + i % 2)).containsExactly("orders-w-" + i % 2);
        }
        assertThat(ratchet.deleteAll(old)).isEqualTo(3);

        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> first.engine().now().objects() == 3
                        && second.engine().now().objects() == 3);
        for (int i = 0; i < 3; i++) {
            byte[] whole = Tasks.bytes(2 * LARGE + 2 * i);
            assertThat(parts.get(2 * i).get(LIMIT)).isEqualTo(java.util.Arrays.copyOfRange(whole, 0, whole.length / 2));
            assertThat(parts.get(2 * i + 1).get(LIMIT))
                    .isEqualTo(java.util.Arrays.copyOfRange(whole, whole.length / 2, whole.length));
        }
    }

    @Test
    void whatIsDeletedIsGoneWithItsBytes() throws Exception {
        SubmitOptions job = SubmitOptions.ofJob("deleted");
        List<DurableFuture<byte[]>> results = new ArrayList<>(
                ratchet.map(job, IntStream.range(LARGE, LARGE + 20).boxed().toList(), Tasks::bytes));
        DurableFuture<Integer> open = ratchet.submit(job, Tasks.never());
        ratchet.await(results, 20, LIMIT);

        assertThat(ratchet.deleteAll(results)).isEqualTo(20);
        assertThat(ratchet.deleteAll(results)).isZero();
        assertThat(ratchet.deleteAll(List.of(open))).isEqualTo(1);

        assertThatThrownBy(() -> ratchet.future(results.get(0).id()).get(LIMIT))
                .isInstanceOf(FutureNotFoundException.class);
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> first.engine().now().isNothing()
                        && second.engine().now().isNothing());
        assertThat(ratchet.summary("deleted").total()).isZero();
    }

    @Test
    void whoGoesAwayWhileReceivingLeavesTheMemoryOfTheResultToOthers() throws Exception {
        double free = first.freeObjectBytes();
        DurableFuture<byte[]> result = ratchet.submit(
                SubmitOptions.defaults().withLocality(Locality.onSeat("orders-w-0")), () -> Tasks.bytes(IN_MEMORY));
        ratchet.await(List.of(result), 1, LIMIT);
        ratchet.transfer(result, "orders-w-0");
        assertThat(first.freeObjectBytes()).isLessThan(free);
        assertThat(first.announceAndGo(result.id())).isGreaterThan(IN_MEMORY);

        ratchet.deleteAll(List.of(result));

        Awaitility.await().atMost(LIMIT).until(() -> first.freeObjectBytes() == free);
    }
}
