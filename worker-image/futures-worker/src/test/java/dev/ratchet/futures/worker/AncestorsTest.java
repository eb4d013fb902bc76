/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.Requirements;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.queue.Room;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.membership.HealthyMember;
import dev.ratchet.protocol.client.v1.Refusal;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A task that waits for what requires what the task itself holds would wait for ever. */
class AncestorsTest {

    private static final SubmitOptions GPU = SubmitOptions.ofJob(StoreFixture.JOB)
            .withRequirements(Requirements.cpus(1).withGpus(1));
    private static final Capacity ONE_GPU = new Capacity(4_000, 0, 1_000, Map.of());

    private final StoreFixture steps = new StoreFixture();

    @AfterEach
    void close() {
        steps.close();
    }

    private void add(String seat, Capacity capacity) {
        steps.members.add(HealthyMember.withLabels(seat, capacity.labels()));
    }

    private FutureId running(String seat, Optional<FutureId> parent) {
        FutureId id = FutureId.random();
        assertThat(submit(id, parent, GPU.withRequirements(GPU.requirements().waitingForCapacity())))
                .isEmpty();
        assertThat(steps.claimer(seat).claim(new Room(4, ONE_GPU, 4)).join())
                .extracting(Claimed::id)
                .containsExactly(id);
        return id;
    }

    private List<Refusal> submit(FutureId id, Optional<FutureId> parent, SubmitOptions options) {
        var future = StoreFixture.submitted(id, options).toBuilder();
        parent.ifPresent(by -> future.setParent(Ids.bytes(by)));
        return steps.submission
                .submit(SubmitRequest.newBuilder().addFutures(future).build(), Optional.empty())
                .join()
                .refusals();
    }

    @Test
    void whatRequiresTheOnlyGpuThatItsParentHoldsIsRefusedUnlessItWaits() {
        add("w-1", ONE_GPU);
        FutureId parent = running("w-1", Optional.empty());

        assertThat(submit(FutureId.random(), Optional.of(parent), GPU))
                .singleElement()
                .extracting(Refusal::getMessage)
                .asString()
                .contains("It requires cpuMillis=1000 gpuMillis=1000")
                .contains(parent + " holds gpuMillis=1000 on w-1")
                .contains("waiting for capacity");
        SubmitOptions waiting = GPU.withRequirements(GPU.requirements().waitingForCapacity());
        assertThat(submit(FutureId.random(), Optional.of(parent), waiting)).isEmpty();
        assertThat(submit(FutureId.random(), Optional.of(parent), SubmitOptions.ofJob(StoreFixture.JOB)))
                .isEmpty();
        assertThat(submit(FutureId.random(), Optional.empty(), GPU))
                .as("which nobody waits for that holds it")
                .isEmpty();
    }

    @Test
    void aSecondGpuIsEnoughForTheChildButNotForItsChild() {
        add("w-1", ONE_GPU);
        add("w-2", ONE_GPU);
        FutureId parent = running("w-1", Optional.empty());
        FutureId child = running("w-2", Optional.of(parent));

        assertThat(submit(FutureId.random(), Optional.of(child), GPU))
                .singleElement()
                .extracting(Refusal::getMessage)
                .asString()
                .contains(child + " holds gpuMillis=1000 on w-2, " + parent + " holds gpuMillis=1000 on w-1");
    }
}
