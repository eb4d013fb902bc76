/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Range;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncUtil;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.Locality;
import dev.ratchet.client.Requirements;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.claim.Claimer;
import dev.ratchet.futures.collect.CodeCollector;
import dev.ratchet.futures.collect.ObjectGarbageCollector;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.queue.ClassUpkeep;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.UnusedNotes;
import dev.ratchet.futures.settle.Cancellation;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.settle.Dependents;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.futures.settle.OutcomeCommitter;
import dev.ratchet.futures.settle.Unsettled;
import dev.ratchet.futures.submit.Awaiting;
import dev.ratchet.futures.upkeep.Unschedulable;
import dev.ratchet.membership.OpenSeat;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.futures.v1.ArtifactRecord;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.FunctionRecord;
import dev.ratchet.protocol.futures.v1.Result;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.futures.v1.StoredObject;
import dev.ratchet.store.fixture.Growth;
import dev.ratchet.store.fixture.MeasuredDatabase;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a cluster only does minutes or hours after something has gone wrong, or to what a test can hardly bring about
 * there, comes no nearer to the limits of {@link Growth} than the rest: here the clock is the test's.
 */
public class UpkeepGrowthTest {

    /** The kinds of transactions that are measured here and not in a cluster. */
    public static final Set<String> KINDS = Set.of(
            "Cancellation.kill",
            "ClassUpkeep.list",
            "CodeCollector.settleOld",
            "CodeCollector.withoutNamed",
            "ObjectGarbageCollector.unlisted",
            "Reconstruction.awaitSeats",
            "Reconstruction.reviveAll",
            "Unschedulable.end");

    /** Many more than any page of those that are read here has. */
    private static final int RECORDS = Growth.RECORDS / 5;

    private static final String SEAT = "w-0";
    private static final SubmitOptions ONCE =
            SubmitOptions.ofJob(StoreFixture.JOB).withMaxRetries(0);

    /** As many workers' clients as may wait for one future. */
    private static final int WAITERS_MAX = 100;

    private static final int NOTES_SWEPT = 1_000;
    private static final int CLASSES = 500;
    private static final int OBJECTS = 1_000;
    private static final int WRITTEN_AT_ONCE = 500;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    @TempDir
    Path directory;

    private final MeasuredDatabase measured = new MeasuredDatabase();
    private final StoreFixture steps = new StoreFixture(measured.wrapper());
    private final FutureKeys keys = steps.store.keys();

    @AfterEach
    void close() {
        steps.close();
    }

    @Test
    void noTransactionGrowsWithTheRecordsAroundIt() throws Exception {
        killAttempts();
        loseUpstreams();
        endWhatNoWorkerCanRun();
        listClasses();
        collectCode();
        deleteUnlistedObjects();
        Growth.assertBounded(measured, KINDS, Map.of());
    }

    /** As many attempts as are ended at once, each awaited by many workers, and given to all the rest. */
    private void killAttempts() {
        List<FutureId> running = steps.submitAll(Cancellation.BATCH_MAX, ONCE);
        List<FutureId> behind = behind(running);
        awaitAll(running);
        assertThat(claimAll()).hasSameSizeAs(running);
        assertThat(steps.cancellation().kill(running).join()).containsExactlyElementsOf(running);
        assertThat(state(running.getLast())).isEqualTo(State.STATE_FAILED);
        new Unsettled(steps.store, steps.dependents).release();
        await("all that waits for them to be released", () -> rows(keys.waits.range()) == 0);
        assertThat(state(behind.getLast())).isEqualTo(State.STATE_QUEUED);
    }

    /** A future whose upstreams all are lost when it begins, as many as one has. */
    private void loseUpstreams() {
        List<FutureId> upstreams = steps.submitAll(Dependents.UPSTREAMS_MAX, ONCE);
        StoredObject object = StoredObject.newBuilder()
                .setEpoch(1)
                .addCopies(Copy.newBuilder().setSeat(SEAT).setIncarnation(1))
                .build();
        Result result = Result.newBuilder().setObject(object).build();
        OutcomeCommitter committer = steps.outcomeCommitter(SEAT);
        AsyncUtil.whenAll(claimAll().stream()
                        .map(claimed -> committer.record(claimed, new Outcome.Realized(result)))
                        .toList())
                .join();
        FutureId joined =
                steps.submitAll(1, ONCE, upstreams.toArray(FutureId[]::new)).getFirst();
        Claimed claimed = claimAll().getFirst();
        assertThat(claimed.id()).isEqualTo(joined);
        Map<FutureId, Optional<StoredObject>> missing = new LinkedHashMap<>();
        upstreams.forEach(id -> missing.put(id, Optional.of(object)));
        assertThat(steps.reconstruction
                        .awaitUpstreams(new OpenSeat(SEAT), claimed, missing)
                        .join())
                .isTrue();
        assertThat(state(joined)).isEqualTo(State.STATE_WAITING);
        assertThat(steps.reconstruction
                        .awaitSeats(new OpenSeat(SEAT), claimAll().getFirst(), List.of(SEAT))
                        .join())
                .isTrue();
    }

    /** Futures for a worker that has gone, each awaited by many workers and given to others. */
    private void endWhatNoWorkerCanRun() {
        steps.members.add(StoreFixture.member("w-1", WorkerState.HEALTHY));
        List<FutureId> bound = steps.submitAll(
                RECORDS, ONCE.withLocality(Locality.onSeat("w-1").withRequired()));
        behind(bound.subList(0, 100));
        awaitAll(bound.subList(0, 100));
        Unschedulable unschedulable = steps.unschedulable();
        steps.members.clear();
        unschedulable.sweep().join();
        steps.environment.pass(100_000);
        unschedulable.sweep().join();
        assertThat(bound.stream().map(this::state)).containsOnly(State.STATE_FAILED);
    }

    /** Classes of which each has something queued, and that no list has. */
    private void listClasses() {
        for (int bytes = 1; bytes <= CLASSES; bytes++) {
            steps.submit(ONCE.withRequirements(
                    Requirements.defaults().withMemoryBytes(bytes).waitingForCapacity()));
        }
        write(1, (transaction, number) -> transaction.clear(keys.waitingClasses.range()));
        new ClassUpkeep(steps.store).complete().join();
        assertThat(rows(keys.waitingClasses.range())).isEqualTo(CLASSES);
    }

    /** Functions and jars that nobody has named for an hour, beside those that are named. */
    private void collectCode() {
        for (int from = 0; from < RECORDS; from += WRITTEN_AT_ONCE) {
            int first = from;
            write(WRITTEN_AT_ONCE, (transaction, number) -> writeCode(transaction, first + number));
        }
        CodeCollector collector = new CodeCollector(steps.store);
        await("all notes to be settled", () -> {
            // A function that goes begins the hour of its jar.
            steps.environment.pass(CodeCollector.GRACE_MILLIS);
            for (int page = 0; page < 3 * RECORDS / NOTES_SWEPT + 1; page++) {
                collector.sweep().join();
            }
            return rows(keys.unused.range()) == 0;
        });
        assertThat(rows(keys.functions.range())).isZero();
        assertThat(rows(keys.artifacts.range())).isZero();
    }

    /** A function, the jar that it names, and an upload that has broken off. */
    private void writeCode(Transaction transaction, int number) {
        byte[] digest = ByteBuffer.allocate(32).putInt(number).array();
        keys.functions.set(
                transaction,
                FunctionRecord.newBuilder()
                        .setSerialized(ByteString.copyFrom(new byte[1_000]))
                        .addArtifacts(ByteString.copyFrom(digest))
                        .build(),
                (Object) digest);
        keys.artifacts.set(
                transaction,
                ArtifactRecord.newBuilder()
                        .setName("a.jar")
                        .setBytes(1)
                        .setChunks(1)
                        .build(),
                (Object) digest);
        UnusedNotes.write(transaction, keys, UnusedNotes.FUNCTION, digest);
        UnusedNotes.write(transaction, keys, UnusedNotes.ARTIFACT, digest);
        UnusedNotes.write(transaction, keys, UnusedNotes.UPLOAD, digest);
    }

    private void deleteUnlistedObjects() throws Exception {
        ObjectStore objects = new ObjectStore(directory, 32 << 20, 0);
        for (int number = 0; number < OBJECTS; number++) {
            objects.put(new ObjectName(FutureId.random(), 1), new byte[10]);
        }
        ObjectGarbageCollector collector = new ObjectGarbageCollector(steps.store, new OpenSeat(SEAT), objects);
        await("what no record names to be deleted", () -> {
            collector.reconcile();
            return objects.count() == 0;
        });
    }

    /** So many futures that together have all of these as upstreams, one each. */
    private List<FutureId> behind(List<FutureId> upstreams) {
        List<FutureId> all = new ArrayList<>();
        upstreams.forEach(upstream -> all.addAll(steps.submitAll(RECORDS / upstreams.size(), ONCE, upstream)));
        return all;
    }

    private void awaitAll(List<FutureId> futures) {
        Awaiting awaiting = new Awaiting(steps.store, steps.reconstruction, steps.dependents);
        IntStream.range(0, WAITERS_MAX).forEach(worker -> awaiting.register("waiting-" + worker, futures)
                .join());
    }

    /** All that are queued. */
    private List<Claimed> claimAll() {
        Claimer claimer = steps.claimer(SEAT);
        List<Claimed> all = new ArrayList<>();
        List<Claimed> some = claimer.claim(StoreFixture.room(Claimer.BATCH_MAX)).join();
        while (!some.isEmpty()) {
            all.addAll(some);
            some = claimer.claim(StoreFixture.room(Claimer.BATCH_MAX)).join();
        }
        return all;
    }

    private State state(FutureId id) {
        return steps.record(id).getState();
    }

    private void write(int count, ObjIntConsumer<Transaction> write) {
        steps.store
                .runPlain(transaction -> {
                    IntStream.range(0, count).forEach(number -> write.accept(transaction, number));
                    return CompletableFuture.<Void>completedFuture(null);
                })
                .join();
    }

    private int rows(Range range) {
        return steps.store
                .read(transaction -> transaction.getRange(range).asList())
                .join()
                .size();
    }

    private static void await(String what, BooleanSupplier holds) {
        Awaitility.await(what).atMost(LIMIT).until(holds::getAsBoolean);
    }
}
