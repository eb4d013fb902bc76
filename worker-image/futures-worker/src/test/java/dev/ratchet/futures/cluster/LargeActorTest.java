/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.KeyValue;
import com.google.protobuf.ByteString;
import dev.ratchet.client.Actor;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.actor.ActorStates;
import dev.ratchet.futures.actor.LargeState;
import dev.ratchet.futures.actor.LargeStates;
import dev.ratchet.futures.actor.StatePieces;
import dev.ratchet.futures.model.ValueSizes;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.release.ReleaseFormats;
import dev.ratchet.protocol.release.VersionRange;
import dev.ratchet.store.fixture.Growth;
import dev.ratchet.store.fixture.MeasuredDatabase;
import dev.ratchet.store.keyspace.StoreRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** States and checkpoints that are too large for the record of their actor. */
class LargeActorTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final SubmitOptions ONCE = SubmitOptions.ofJob("large").withMaxRetries(0);
    private static final int BYTES = 5_000_000;

    @TempDir
    private Path directory;

    /** The rows of the pieces of all states. */
    private static List<KeyValue> pieces(TestCluster cluster) {
        FutureKeys keys = cluster.store().keys();
        return cluster.store()
                .read(transaction ->
                        transaction.getRange(keys.actorPieces.range()).asList())
                .join();
    }

    private static void assertOneStateIn(TestCluster cluster) {
        assertThat(pieces(cluster)).hasSize(ValueSizes.pieces(BYTES + 500));
        assertThat(cluster.check().violations()).isEmpty();
    }

    @Test
    void aStateOutlivesCallsAndTheEndOfAllWorkersInSmallTransactions() throws Exception {
        MeasuredDatabase measured = new MeasuredDatabase();
        try (TestCluster cluster = new TestCluster(directory, measured.wrapper())) {
            cluster.start(0, 2);
            cluster.start(1, 2);
            Actor<Volume> actor = Volume.recorded(cluster.connect(), SubmitOptions.ofJob("large"));
            for (int call = 1; call <= 3; call++) {
                assertThat(Volume.next(actor, BYTES).get(LIMIT)).isEqualTo(call);
                assertOneStateIn(cluster);
            }
            assertThat(Volume.size(actor).get(LIMIT)).isEqualTo(BYTES);

            for (String seat : List.of("orders-w-0", "orders-w-1")) {
                cluster.worker(seat).kill();
            }
            cluster.start(2, 2);
            actor = Volume.recorded(cluster.connect(), ONCE);
            assertThat(Volume.next(actor, BYTES).get(LIMIT)).isEqualTo(4);
            assertOneStateIn(cluster);

            assertThat(Volume.next(actor, 10).get(LIMIT)).isEqualTo(5);
            assertThat(pieces(cluster)).as("of a small state").isEmpty();
            assertThat(Volume.next(actor, BYTES).get(LIMIT)).isEqualTo(6);
            assertThat(actor.reset().get(LIMIT)).isTrue();
            assertThat(pieces(cluster)).as("of a state that was removed").isEmpty();
        }
        Map<String, MeasuredDatabase.Figures> kinds = measured.kinds();
        kinds.keySet().removeIf(kind -> kind.startsWith("LargeActorTest"));
        assertThat(kinds).containsKeys("PieceStore.write", "PieceStore.readFrom");
        assertThat(kinds).allSatisfy((kind, figures) -> assertThat(figures.most(Growth.MOST))
                .as("the largest transaction of %s", kind)
                .isEqualTo(Growth.MOST));
    }

    @Test
    void aCheckpointOutlivesItsWorker() throws Exception {
        MeasuredDatabase measured = new MeasuredDatabase();
        try (TestCluster cluster = new TestCluster(directory, measured.wrapper())) {
            cluster.start(0, 2);
            cluster.start(1, 2);
            Actor<Volume> actor = Volume.checkpointed(cluster.connect(), SubmitOptions.ofJob("large"));
            for (int call = 1; call <= 3; call++) {
                assertThat(Volume.next(actor, BYTES).get(LIMIT)).isEqualTo(call);
                assertOneStateIn(cluster);
            }
            cluster.worker(Volume.seat(actor).get(LIMIT)).kill();

            assertThat(Volume.next(Volume.checkpointed(cluster.connect(), SubmitOptions.ofJob("large")), BYTES)
                            .get(LIMIT))
                    .isEqualTo(4);
            assertOneStateIn(cluster);
        }
    }

    @Test
    void anIsolatedCallHasItAndLeavesIt() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 2);
            Actor<Volume> actor = Volume.recorded(cluster.connect(), ONCE.withIsolation());
            for (int call = 1; call <= 3; call++) {
                assertThat(Volume.next(actor, BYTES).get(LIMIT)).isEqualTo(call);
            }
            assertThat(Volume.next(Volume.recorded(cluster.connect(), ONCE), BYTES)
                            .get(LIMIT))
                    .as("not isolated")
                    .isEqualTo(4);
            assertThat(Volume.size(actor).get(LIMIT)).isEqualTo(BYTES);
            assertOneStateIn(cluster);
        }
    }

    @Test
    void callsThatRunBeforeTheyAreRecordedLeaveIt() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 2);
            Ratchet ratchet = cluster.connect();
            Actor<Volume> actor =
                    Volume.recorded(ratchet, SubmitOptions.ofJob("short").withShortTask());
            List<DurableFuture<Integer>> calls = IntStream.of(10, 20, BYTES, BYTES, 10, 20, BYTES)
                    .mapToObj(size -> Volume.next(actor, size))
                    .toList();

            assertThat(ratchet.awaitAll(calls, LIMIT)).containsExactly(1, 2, 3, 4, 5, 6, 7);
            assertThat(Volume.isWhole(actor).get(LIMIT)).isTrue();
            assertOneStateIn(cluster);
        }
    }

    @Test
    void callsBesideEachOtherAndReadsFindWholeStatesAndEachCallCountsOnce() throws Exception {
        UnaryOperator<Database> faults = real -> new FaultyDatabase(real, new Random(7), 10).database();
        try (TestCluster cluster = new TestCluster(directory, faults)) {
            cluster.start(0, 2);
            cluster.start(1, 2);
            Ratchet ratchet = cluster.connect();
            Actor<Volume> actor = Volume.recorded(ratchet, SubmitOptions.ofJob("beside"));
            List<DurableFuture<Integer>> calls = IntStream.range(0, 8)
                    .mapToObj(unused -> Volume.next(actor.withConcurrentCallsMax(3), 2_000_000))
                    .toList();
            List<DurableFuture<Boolean>> reads = IntStream.range(0, 8)
                    .mapToObj(unused -> Volume.isWhole(actor))
                    .toList();

            assertThat(ratchet.awaitAll(calls, LIMIT)).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8);
            assertThat(ratchet.awaitAll(reads, LIMIT)).containsOnly(true);
            assertThat(Volume.next(actor, BYTES).get(LIMIT)).isEqualTo(9);
            assertOneStateIn(cluster);
        }
    }

    @Test
    void whatAnAttemptHasWrittenThatDiedBeforeItsOutcomeIsClearedByTheNext() throws Exception {
        HeldOutcomes held = new HeldOutcomes();
        try (TestCluster cluster = new TestCluster(directory, held.wrapper())) {
            cluster.start(0, 2);
            cluster.start(1, 2);
            Actor<Volume> actor = Volume.recorded(cluster.connect(), SubmitOptions.ofJob("died"));
            assertThat(Volume.next(actor, BYTES).get(LIMIT)).isEqualTo(1);
            String seat = Volume.seat(actor).get(LIMIT);
            int ofOne = pieces(cluster).size();
            held.hold(true);
            DurableFuture<Integer> dying = Volume.next(actor, BYTES);
            Awaitility.await("the pieces of a second state")
                    .atMost(LIMIT)
                    .until(() -> pieces(cluster).size() == 2 * ofOne);
            assertThat(cluster.check().violations())
                    .as("while the call is open")
                    .isEmpty();

            cluster.worker(seat).kill();
            held.hold(false);
            assertThat(dying.get(LIMIT)).as("from the first state").isEqualTo(2);
            assertOneStateIn(cluster);
            assertThat(Volume.next(Volume.recorded(cluster.connect(), ONCE), BYTES)
                            .get(LIMIT))
                    .isEqualTo(3);
        }
    }

    @Test
    void piecesOfTheRecordedStateAreNotForgotten() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 2);
            Actor<Volume> actor = Volume.recorded(cluster.connect(), ONCE);
            assertThat(Volume.next(actor, BYTES).get(LIMIT)).isEqualTo(1);
            FutureKeys keys = cluster.store().keys();
            FutureId id = new FutureId(keys.actorPieces
                    .elements(pieces(cluster).getFirst().getKey())
                    .getUUID(0));
            StatePieces named = cluster.store()
                    .read(transaction -> new ActorStates(keys).read(transaction, id))
                    .join()
                    .pieces()
                    .orElseThrow();
            LargeStates states = new LargeStates(cluster.store());

            states.forget(new LargeState(id, named, ByteString.EMPTY)).join();
            assertOneStateIn(cluster);
        }
    }

    @Test
    void aStateThatIsTooLargeIsRefusedWithBothSizes() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            cluster.start(0, 1);
            Actor<Volume> actor = Volume.recorded(cluster.connect(), ONCE);
            assertThat(Volume.next(actor, 10).get(LIMIT)).isEqualTo(1);
            DurableFuture<Integer> tooLarge = Volume.next(actor, 64 << 20);

            assertThatThrownBy(() -> tooLarge.get(LIMIT))
                    .hasMessageMatching("(?s).*state.* has 671\\d{5} bytes .* more than the limit of 67108864.*"
                            + "Keep it in memory with Actor.checkpointed.*");
            assertThat(Volume.next(actor, 10).get(LIMIT)).as("without a trace").isEqualTo(2);
        }
    }

    @Test
    void aStateKeepsTheFormerLimitUntilTheFormatsAreRaised() throws Exception {
        ReleaseFormats former = new ReleaseFormats("0.1.0", new VersionRange(1, 1));
        try (TestCluster cluster = new TestCluster(directory, UnaryOperator.identity(), former)) {
            TestWorker worker = cluster.start(0, 1);
            Actor<Volume> actor = Volume.recorded(cluster.connect(), ONCE);
            assertThat(Volume.next(actor, 1_000_000).get(LIMIT)).isEqualTo(1);
            DurableFuture<Integer> tooLarge = Volume.next(actor, BYTES);

            assertThatThrownBy(() -> tooLarge.get(LIMIT))
                    .hasMessageContaining("more than the limit of 1048576")
                    .hasMessageContaining("67108864 once the upgrade of the cluster is finalized");
            assertThat(Volume.next(actor, 1_000_000).get(LIMIT))
                    .as("without a trace")
                    .isEqualTo(2);

            int raised = ReleaseFormats.OWN.levels().newest();
            cluster.database().run(transaction -> StoreRecord.raiseFormat(
                            transaction, cluster.keyspace(), raised, ReleaseFormats.OWN)
                    .join());
            Awaitility.await("the worker to know of the level")
                    .atMost(LIMIT)
                    .until(() -> worker.membership().formats().get() == raised);
            assertThat(Volume.next(actor, BYTES).get(LIMIT)).isEqualTo(3);
            assertOneStateIn(cluster);
        }
    }
}
