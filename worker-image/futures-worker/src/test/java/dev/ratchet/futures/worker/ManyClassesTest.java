/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.Requirements;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.claim.Claimer;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.queue.RequirementClasses;
import dev.ratchet.futures.queue.Room;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.futures.upkeep.Unschedulable;
import dev.ratchet.membership.Inventory;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Futures that each require something else, so that each is of a class of its own. */
class ManyClassesTest {

    private static final SubmitOptions OPTIONS = SubmitOptions.ofJob(StoreFixture.JOB);

    /** More than are looked at one after the other, and than former releases have looked at in one sweep. */
    private static final int CLASSES = 300;

    private static final long LARGE = 1_000_000;

    private final StoreFixture steps = new StoreFixture();

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

    private Set<String> written() {
        return steps.store
                .read(new RequirementClasses(steps.store.keys())::all)
                .join()
                .keySet();
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

        List<String> classes = steps.unschedulable().sweep().join();
        new RequirementClasses(steps.store.keys()).tidy(steps.store, classes).join();

        assertThat(written()).containsExactly(SchedulingSpecs.DEFAULT_CLASS);
        steps.outcomeCommitter("w-0")
                .record(claimed.getFirst(), new Outcome.GivenBack())
                .join();
        assertThat(steps.claimer("w-1").claim(room(1)).join())
                .as("queued once more")
                .extracting(Claimed::id)
                .containsExactly(claimed.getFirst().id());
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
        return new Member(
                "w-1",
                1,
                WorkerState.HEALTHY,
                "pod-uid",
                1,
                1,
                "node-1",
                "10.0.0.1:7400",
                "0.1.0",
                1,
                new Capacity(1_000, memoryBytes, 0, Map.of()).labels(),
                15_000,
                false,
                false,
                0,
                1,
                Map.of(),
                Inventory.NONE);
    }
}
