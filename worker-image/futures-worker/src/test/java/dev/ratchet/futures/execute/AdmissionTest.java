/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.Requirements;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdmissionTest {

    private Admission admission = new Admission(Capacity.ofThreads(1));
    private final List<Execution> started = new ArrayList<>();

    private Execution enter(String tenant) {
        return enter(SubmitOptions.ofJob("admission").withTenant(tenant));
    }

    private Execution enter(SubmitOptions options) {
        FutureRecord.Builder record = FutureRecord.newBuilder().setSchedulingSpec(SchedulingSpecs.of(options));
        record.setPartition(SchedulingSpecs.partition(record));
        Execution execution = new Execution(new Claimed(FutureId.random(), record.build()), 0);
        admission.enter(execution, () -> started.add(execution));
        return execution;
    }

    @Test
    void aTenantIsNextHoweverManyOfAnotherOneHaveComeBefore() {
        Execution running = enter("flood");
        Execution second = enter("flood");
        Execution third = enter("flood");
        Execution other = enter("other");

        admission.finished(running);
        admission.finished(other);
        admission.finished(second);

        assertThat(started).containsExactly(running, other, second, third);
    }

    @Test
    void whatIsStoppedBeforeItFitsKeepsNobodyWaiting() {
        admission = new Admission(Capacity.ofThreads(2));
        Execution running = enter("one");
        Execution large = enter(SubmitOptions.ofJob("admission").withRequirements(Requirements.cpus(2)));
        assertThat(started).containsExactly(running);

        large.stopUnstarted(Execution.Stop.REVOKED);
        Execution small = enter("one");
        assertThat(started).containsExactly(running, large, small);

        admission.finished(small);
        assertThat(started).as("nothing is taken by what was stopped").hasSize(3);
        Execution next = enter("one");
        assertThat(started).endsWith(next);
    }

    @Test
    void whatRunsIsInTheWayOfOtherTenantsThatWaitAlone() {
        Execution running = enter("flood");
        assertThat(admission.inTheWayOf(running)).as("which does not wait").isEmpty();

        Execution second = enter("flood");
        assertThat(admission.inTheWayOf(second)).as("of the same tenant").isEmpty();

        Execution other = enter("other");
        assertThat(admission.inTheWayOf(other)).containsExactly(running);
    }
}
