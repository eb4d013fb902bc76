/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.QueuePartition;
import dev.ratchet.protocol.futures.v1.Requirements;
import dev.ratchet.protocol.futures.v1.SchedulingSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExecutionsTest {

    private static final Capacity CAPACITY = new Capacity(2_000, 100, 0, Map.of());

    private final Executions executions = new Executions(1, Capacity.ofThreads(1));

    @Test
    void whatWaitsForOthersLeavesItsRoomToThem() {
        Execution execution = execution(FutureId.random());
        executions.add(execution);
        assertThat(room()).isZero();
        executions.suspend(execution, true);
        assertThat(room()).isEqualTo(1);
        executions.suspend(execution, false);
        assertThat(room()).isZero();
        executions.remove(execution);
        assertThat(room()).isEqualTo(1);
    }

    @Test
    void theLongestRunIsThatOfCodeThatRunsAndDoesNotWait() {
        Execution first = execution(FutureId.random());
        Execution second = execution(FutureId.random());
        executions.add(first);
        executions.add(second);
        assertThat(executions.longestRunNanos(1_000)).as("before anything runs").isZero();
        first.start(100);
        second.start(300);
        assertThat(executions.longestRunNanos(1_000)).isEqualTo(900);
        executions.suspend(first, true);
        assertThat(executions.longestRunNanos(1_000)).isEqualTo(700);
        executions.remove(second);
        assertThat(executions.longestRunNanos(1_000)).isZero();
    }

    @Test
    void whatHasRunForLongHasItsSlotAndSaysNothingOfTheOther() {
        Executions two = new Executions(2, Capacity.ofThreads(2));
        Execution execution = execution(FutureId.random());
        two.add(execution);
        execution.start(0);
        double average = Executions.AHEAD_NANOS / 10.0;
        assertThat(two.room(4_000_000_000L, average).futures()).isEqualTo(1);
        assertThat(two.slotsNotTakenForLong(4_000_000_000L)).isEqualTo(2);
        assertThat(two.room(6_000_000_000L, average).futures()).isEqualTo(11);
        assertThat(two.slotsNotTakenForLong(6_000_000_000L)).isEqualTo(1);
    }

    @Test
    void aFormerExecutionOfTheSameFutureTakesNoRoom() {
        FutureId id = FutureId.random();
        Execution former = execution(id);
        Execution again = execution(id);
        executions.add(former);
        executions.add(again);
        executions.remove(former);
        assertThat(executions.get(id)).isSameAs(again);
        executions.remove(again);
        assertThat(room()).isEqualTo(1);
        assertThat(executions.size()).isZero();
    }

    @Test
    void whatWaitsForOthersKeepsItsMemory() {
        Executions large = new Executions(2, CAPACITY);
        Execution execution = requiring(60);
        large.add(execution);
        assertThat(capacity(large)).isEqualTo(new Capacity(1_000, 40, 0, Map.of()));
        large.suspend(execution, true);
        assertThat(capacity(large)).isEqualTo(new Capacity(2_000, 40, 0, Map.of()));
        large.remove(execution);
        assertThat(capacity(large)).isEqualTo(CAPACITY);
    }

    @Test
    void nothingStartsInTheMemoryOfWhatWaitsForOthers() {
        Admission admission = new Admission(CAPACITY);
        List<String> started = new ArrayList<>();
        Execution first = requiring(60);
        admission.enter(first, () -> started.add("first"));
        admission.suspended(first);
        admission.enter(requiring(40), () -> started.add("beside"));
        admission.enter(requiring(60), () -> started.add("after"));
        assertThat(started).containsExactly("first", "beside");

        admission.resumed(first);
        assertThat(started).containsExactly("first", "beside");
        admission.finished(first);
        assertThat(started).containsExactly("first", "beside", "after");
    }

    @Test
    void whatHasNotStartedAndWhatWaitsForOthersAreCounted() {
        Execution execution = execution(FutureId.random());
        executions.add(execution);
        executions.add(execution(FutureId.random()));
        assertThat(executions.waiting()).isEqualTo(2);
        execution.start(1);
        assertThat(executions.waiting()).isEqualTo(1);
        assertThat(executions.suspended()).isZero();
        executions.suspend(execution, true);
        assertThat(executions.waiting()).isEqualTo(1);
        assertThat(executions.suspended()).isEqualTo(1);
        executions.remove(execution);
        assertThat(executions.suspended()).isZero();
    }

    private static Capacity capacity(Executions executions) {
        return executions.room(0, Executions.AHEAD_NANOS * 2.0).capacity();
    }

    private static Execution requiring(long memoryBytes) {
        Requirements required = Requirements.newBuilder()
                .setCpuMillis(1_000)
                .setMemoryBytes(memoryBytes)
                .build();
        FutureRecord record = FutureRecord.newBuilder()
                .setSchedulingSpec(SchedulingSpec.newBuilder().setRequirements(required))
                .setPartition(
                        QueuePartition.newBuilder().setRequirementClass(SchedulingSpecs.requirementClass(required)))
                .build();
        return new Execution(new Claimed(FutureId.random(), record), 0);
    }

    private int room() {
        return executions.room(0, Executions.AHEAD_NANOS * 2.0).futures();
    }

    private static Execution execution(FutureId id) {
        return new Execution(new Claimed(id, FutureRecord.getDefaultInstance()), 0);
    }
}
