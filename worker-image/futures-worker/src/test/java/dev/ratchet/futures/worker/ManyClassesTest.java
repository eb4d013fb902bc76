/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Versionstamp;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.Requirements;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.claim.Claimer;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.queue.ClassUpkeep;
import dev.ratchet.futures.queue.Room;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.futures.upkeep.Unschedulable;
import dev.ratchet.membership.HealthyMember;
import dev.ratchet.membership.Member;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import java.util.function.ObjLongConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Futures that each require something else, so that each is of a class of its own. */
class ManyClassesTest {

    private static final SubmitOptions OPTIONS = SubmitOptions.ofJob(StoreFixture.JOB);

    /** More than are looked at one after the other, and than former releases have looked at in one sweep. */
    private static final int CLASSES = 300;

    private static final long LARGE = 1_000_000;

    /** Reads of one claim, of single keys and of pages, however many classes wait. */
    private static final long READS_MAX = 250;

    private final AtomicLong reads = new AtomicLong();
    private final StoreFixture steps = new StoreFixture(real -> ProxiedDatabase.running(
            real,
            handler -> real.runAsync(transaction ->
                    handler.apply(ProxiedDatabase.telling(Transaction.class, transaction, this::called)))));

    private void called(String method) {
        if (method.equals("get") || method.equals("getRange")) {
            reads.incrementAndGet();
        }
    }

    @AfterEach
    void close() {
        steps.close();
    }

    private static Requirements memory(long bytes) {
        return Requirements.defaults().withMemoryBytes(bytes).waitingForCapacity();
    }

    private static String requirementClass(long bytes) {
        return SchedulingSpecs.requirementClass(
                SchedulingSpecs.of(OPTIONS.withRequirements(memory(bytes))).getRequirements());
    }

    private static Room room(int futures) {
        return new Room(futures, new Capacity(futures * 1_000L, LARGE / 2, 0, Map.of()), futures);
    }

    /** What is written down about classes, in both tables. */
    private List<KeyValue> written() {
        FutureKeys keys = steps.store.keys();
        return Stream.of(keys.requirements.range(), keys.waitingClasses.range())
                .flatMap(range -> steps
                        .store
                        .read(transaction -> transaction.getRange(range).asList())
                        .join()
                        .stream())
                .toList();
    }

    @Test
    void aPriorityHoldsAcrossAllOfThem() {
        long last = LongStream.rangeClosed(1, CLASSES)
                .boxed()
                .max(Comparator.comparing(ManyClassesTest::requirementClass))
                .orElseThrow();
        LongStream.rangeClosed(1, CLASSES)
                .filter(bytes -> bytes != last)
                .forEach(bytes -> steps.submit(OPTIONS.withRequirements(memory(bytes))));
        FutureId urgent = steps.submit(OPTIONS.withRequirements(memory(last)).withPriority(5));

        assertThat(steps.claimer("w-0").claim(room(1)).join())
                .extracting(Claimed::id)
                .containsExactly(urgent);
    }

    @Test
    void allOfThemAreServedAndForgotten() {
        for (long bytes = 1; bytes <= CLASSES; bytes++) {
            steps.submit(OPTIONS.withRequirements(memory(bytes)));
        }
        Claimer claimer = steps.claimer("w-0");
        List<Claimed> claimed = new ArrayList<>();
        for (int look = 0; look < CLASSES && claimed.size() < CLASSES; look++) {
            claimed.addAll(claimer.claim(room(8)).join());
        }
        assertThat(claimed).extracting(Claimed::id).doesNotHaveDuplicates().hasSize(CLASSES);
        assertThat(written()).hasSizeGreaterThan(CLASSES);

        new ClassUpkeep(steps.store).forgetEmpty().join();

        assertThat(written()).isEmpty();
        steps.outcomeCommitter("w-0")
                .record(claimed.getFirst(), new Outcome.GivenBack())
                .join();
        assertThat(steps.claimer("w-1").claim(room(1)).join())
                .as("queued once more")
                .extracting(Claimed::id)
                .containsExactly(claimed.getFirst().id());
    }

    /** One for each future, most of which this worker is too small for. */
    @Test
    void amongAHundredThousandAWorkerFindsWhatItHasRoomForWithABoundedNumberOfReads() {
        queue(100_000, i -> LARGE + i, i -> i % 1_000 + 1_000);
        List<FutureId> fitting = new ArrayList<>();
        for (long bytes = 1; bytes <= 30; bytes++) {
            fitting.add(steps.submit(OPTIONS.withRequirements(memory(bytes))));
        }
        FutureId urgent = steps.submit(OPTIONS.withRequirements(memory(31)).withPriority(1));
        FutureId plain = steps.submit(OPTIONS);
        Claimer claimer = steps.claimer("w-0");
        reads.set(0);

        List<FutureId> claimed = new ArrayList<>(claim(claimer, 1));
        assertThat(claimed).as("beside one that takes no room from it").containsExactly(urgent, plain);
        assertThat(reads.getAndSet(0)).isLessThan(READS_MAX);

        for (int look = 0; look < 40 && claimed.size() < 32; look++) {
            claimed.addAll(claim(claimer, 8));
            assertThat(reads.getAndSet(0)).isLessThan(READS_MAX);
        }

        fitting.add(urgent);
        fitting.add(plain);
        assertThat(claimed).containsExactlyInAnyOrderElementsOf(fitting);
    }

    @Test
    void aHundredThousandThatAreEmptyAreForgottenAndHideNoneThatWaits() {
        FutureKeys keys = steps.store.keys();
        write(100_000, (transaction, i) -> define(transaction, memory(i + 1)));
        FutureId last = steps.submit(OPTIONS.withRequirements(memory(LARGE / 2)));
        for (long bytes = 1; bytes <= 20; bytes++) {
            steps.submit(OPTIONS.withRequirements(memory(LARGE + bytes)));
        }
        Claimer claimer = steps.claimer("w-0");

        List<FutureId> claimed = new ArrayList<>();
        for (int look = 0; look < 200 && claimed.isEmpty(); look++) {
            reads.set(0);
            claimed.addAll(claim(claimer, 1));
            assertThat(reads.get()).as("with those that forget some").isLessThan(3_000);
        }
        assertThat(claimed).containsExactly(last);

        ClassUpkeep upkeep = new ClassUpkeep(steps.store);
        for (int sweep = 0; sweep < 20 && written().size() > 2 * 20; sweep++) {
            upkeep.forgetEmpty().join();
        }
        assertThat(written())
                .hasSize(2 * 20)
                .allMatch(row -> !keys.queue.subspace().contains(row.getKey()));
    }

    /** As former releases have queued them. */
    @Test
    void thoseThatAreNotListedAreFoundAfterTheTidying() {
        List<FutureId> submitted = new ArrayList<>();
        for (long bytes = 1; bytes <= 40; bytes++) {
            submitted.add(steps.submit(OPTIONS.withRequirements(memory(bytes))));
        }
        FutureKeys keys = steps.store.keys();
        steps.store
                .runPlain(transaction -> {
                    transaction.clear(keys.waitingClasses.range());
                    transaction.clear(keys.requirements.key(requirementClass(7)));
                    return CompletableFuture.completedFuture(null);
                })
                .join();
        Claimer claimer = steps.claimer("w-0");
        assertThat(claim(claimer, 8)).as("not listed").isEmpty();

        new ClassUpkeep(steps.store).complete().join();

        List<FutureId> claimed = new ArrayList<>();
        for (int look = 0; look < 40 && claimed.size() < 40; look++) {
            claimed.addAll(claim(claimer, 8));
        }
        assertThat(claimed).containsExactlyInAnyOrderElementsOf(submitted);
    }

    private static List<FutureId> claim(Claimer claimer, int futures) {
        return claimer.claim(room(futures)).join().stream().map(Claimed::id).toList();
    }

    /** Entries that each are of a class of their own, as if submitted. */
    private void queue(int count, LongUnaryOperator memoryBytes, LongUnaryOperator cpuMillis) {
        FutureKeys keys = steps.store.keys();
        write(count, (transaction, i) -> {
            String id = define(
                    transaction, memory(memoryBytes.applyAsLong(i)).withCpus(cpuMillis.applyAsLong(i) / 1_000.0));
            UUID future = new UUID(i, i);
            transaction.set(
                    keys.queue.key(
                            id, 0, SchedulingSpecs.DEFAULT_TENANT, 0, Versionstamp.complete(new byte[10]), future),
                    new byte[24]);
        });
    }

    private String define(Transaction transaction, Requirements required) {
        FutureKeys keys = steps.store.keys();
        var amounts = SchedulingSpecs.amounts(
                SchedulingSpecs.of(OPTIONS.withRequirements(required)).getRequirements());
        String id = SchedulingSpecs.requirementClass(amounts);
        transaction.set(keys.requirements.key(id), keys.requirements.encode(amounts));
        transaction.set(keys.waitingClass(0, id, amounts), keys.requirements.encode(amounts));
        return id;
    }

    private void write(int count, ObjLongConsumer<Transaction> row) {
        for (int from = 0; from < count; from += 5_000) {
            int first = from;
            steps.store
                    .runPlain(transaction -> {
                        LongStream.range(first, Math.min(count, first + 5_000))
                                .forEach(i -> row.accept(transaction, i));
                        return CompletableFuture.completedFuture(null);
                    })
                    .join();
        }
    }

    @Test
    void aWorkerIsIdleBesideHoweverManyThatItHasNoRoomFor() {
        for (long bytes = 1; bytes <= CLASSES; bytes++) {
            steps.submit(OPTIONS.withRequirements(memory(LARGE + bytes)));
        }
        Claimer claimer = steps.claimer("w-0");

        assertThat(claimer.claim(room(1)).join()).isEmpty();
        assertThat(claimer.becomeIdle(room(1)).join()).isTrue();
        FutureId fits = steps.submit(OPTIONS.withRequirements(memory(7)));
        assertThat(wakeOf("w-0")).as("woken for what it has room for").isTrue();
        assertThat(claimer.becomeIdle(room(1)).join()).isFalse();
        assertThat(claimer.claim(room(1)).join()).extracting(Claimed::id).containsExactly(fits);
    }

    @Test
    void thoseThatNoWorkerIsLargeEnoughForAnyMoreEndHoweverManyThereAre() {
        steps.members.add(member(LARGE));
        List<FutureId> orphans = new ArrayList<>();
        for (long bytes = 1; bytes <= CLASSES; bytes++) {
            orphans.add(steps.submit(
                    OPTIONS.withRequirements(Requirements.defaults().withMemoryBytes(bytes + LARGE / 2))));
        }
        steps.members.clear();
        steps.members.add(member(1));
        Unschedulable unschedulable = steps.unschedulable();

        unschedulable.sweep().join();
        steps.environment.pass(60_000);
        unschedulable.sweep().join();

        assertThat(orphans).allMatch(id -> steps.record(id).getState() == State.STATE_FAILED);
    }

    private boolean wakeOf(String seat) {
        FutureKeys keys = steps.store.keys();
        return steps.store
                        .read(transaction -> transaction.get(keys.wake.key(seat)))
                        .join()
                != null;
    }

    private static Member member(long memoryBytes) {
        return HealthyMember.withLabels("w-1", new Capacity(1_000, memoryBytes, 0, Map.of()).labels());
    }
}
