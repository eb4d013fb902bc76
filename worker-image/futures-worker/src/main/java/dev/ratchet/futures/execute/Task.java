/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.actor.ActorSnapshot;
import dev.ratchet.futures.actor.ActorStates;
import dev.ratchet.futures.actor.LargeState;
import dev.ratchet.futures.isolation.TaskProcesses;
import dev.ratchet.futures.model.Failures;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.ValueSizes;
import dev.ratchet.futures.nesting.RunningTask;
import dev.ratchet.futures.nesting.TaskCall;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.object.ObjectStoreFullException;
import dev.ratchet.futures.record.Effects;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.futures.v1.Result;
import dev.ratchet.protocol.futures.v1.StoredObject;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * One attempt at one future on the thread of its slot: has the user's code called, here or in a process of its own, and
 * keeps what comes of it.
 */
final class Task {

    private final Claimed claimed;
    private final TaskCall.Inputs inputs;
    private final ObjectStore objects;
    private final ActorStates states;

    Task(Claimed claimed, TaskCall.Inputs inputs, ObjectStore objects, ActorStates states) {
        this.claimed = claimed;
        this.inputs = inputs;
        this.objects = objects;
        this.states = states;
    }

    /**
     * Runs to the end; the caller closes the inputs.
     *
     * @param processes where isolated tasks run
     */
    Outcome run(RunningTask task, TaskProcesses processes) {
        TaskCall.Ended ended = claimed.record().getSchedulingSpec().getIsolated()
                ? processes.call(claimed.id(), claimed.record(), inputs, task)
                : new TaskCall(claimed.id(), claimed.record(), inputs).run(task.context());
        return switch (ended) {
            case TaskCall.Ended.Returned returned -> keep(returned.value(), task, left(returned.actor()));
            case TaskCall.Ended.Stored stored -> stored(stored.value(), task, left(stored.actor()));
            case TaskCall.Ended.Threw threw -> new Outcome.Failed(threw.failure(), threw.permanent());
            case TaskCall.Ended.Displaced displaced -> new Outcome.GivenBack();
        };
    }

    /** What a call leaves of its actor. */
    private Optional<ActorSnapshot> left(ByteString actorState) {
        return claimed.record().getArgumentKind() == ArgumentKind.ARGUMENT_KIND_ACTOR
                ? Optional.of(inputs.actor()
                        .recorded()
                        .replacedBy(
                                ActorStates.writer(claimed.id(), claimed.token().getEpoch()), actorState))
                : Optional.empty();
    }

    private Outcome realized(Result result, RunningTask task, Optional<ActorSnapshot> left) {
        Effects own = task.store().effects();
        FutureId actor = left.isEmpty() ? claimed.id() : Ids.of(claimed.record().getActor());
        Optional<LargeState> large =
                left.flatMap(state -> ActorStates.large(actor, claimed.id(), claimed.token(), state));
        Optional<ActorSnapshot> record = left.map(
                state -> large.map(whole -> state.inPieces(whole.pieces())).orElse(state));
        Effects all = record.map(state ->
                        states.change(actor, inputs.actor().recorded(), state).and(own))
                .orElse(own);
        boolean isAlone = !own.isEmpty() || large.isPresent();
        return new Outcome.Realized(result, all, isAlone ? Optional.empty() : record, large);
    }

    private Outcome keep(byte[] value, RunningTask task, Optional<ActorSnapshot> left) {
        if (value.length <= ValueSizes.INLINE_BYTES_MAX) {
            return realized(
                    Result.newBuilder()
                            .setInline(UnsafeByteOperations.unsafeWrap(value))
                            .build(),
                    task,
                    left);
        }
        try {
            return stored(objects.put(ObjectName.of(claimed.id(), claimed.token()), value), task, left);
        } catch (ObjectStoreFullException | UncheckedIOException full) {
            return new Outcome.Failed(
                    Failures.of(
                            FailureKind.FAILURE_KIND_RESULT,
                            full,
                            claimed.token().getSeat()),
                    false);
        }
    }

    private Outcome stored(ObjectStore.Stored stored, RunningTask task, Optional<ActorSnapshot> left) {
        ClaimToken token = claimed.token();
        if (claimed.record().getSchedulingSpec().getNoReconstruction()) {
            objects.preserve(stored);
        }
        return realized(
                Result.newBuilder()
                        .setObject(StoredObject.newBuilder()
                                .setBytes(stored.bytes())
                                .setChecksum(stored.checksum())
                                .setEpoch(stored.name().epoch())
                                .addCopies(Copy.newBuilder()
                                        .setSeat(token.getSeat())
                                        .setIncarnation(token.getIncarnation())))
                        .build(),
                task,
                left);
    }
}
