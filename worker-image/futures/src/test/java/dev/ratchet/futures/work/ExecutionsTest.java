/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import org.junit.jupiter.api.Test;

class ExecutionsTest {

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

    private int room() {
        return executions.room(0, Executions.AHEAD_NANOS * 2.0).futures();
    }

    private static Execution execution(FutureId id) {
        return new Execution(new Claimed(id, FutureRecord.getDefaultInstance()), 0);
    }
}
