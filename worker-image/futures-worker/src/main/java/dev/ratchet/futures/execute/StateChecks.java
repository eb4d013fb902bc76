/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import dev.ratchet.client.FutureId;
import dev.ratchet.environment.Environment;
import dev.ratchet.futures.code.CodeWriter;
import dev.ratchet.futures.code.LoadedFunction;
import dev.ratchet.futures.code.Serialized;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.nesting.Slot;
import dev.ratchet.futures.nesting.TaskCall;
import dev.ratchet.futures.session.StateCheckRunner;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.SchedulingSpec;
import dev.ratchet.protocol.futures.v1.SessionBinding;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.StateCheck;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Runs the checks of sessions that were bound again, each on a thread beside those of tasks: it is no future, because
 * what it says is of this process alone, and whoever takes the seat next asks again. Immutable.
 */
public final class StateChecks implements StateCheckRunner {

    private static final byte[] YES = CodeWriter.writeValue("result", true);

    private final Environment environment;
    private final Seat seat;
    private final TaskRuntime runtime;

    public StateChecks(Environment environment, Seat seat, TaskRuntime runtime) {
        this.environment = environment;
        this.seat = seat;
        this.runtime = runtime;
    }

    @Override
    public CompletableFuture<Optional<String>> run(UUID id, SessionRecord session) {
        return runtime.code().load(session.getCheck().getFunction()).thenCompose(function -> {
            CompletableFuture<Optional<String>> veto = new CompletableFuture<>();
            runtime.slotThreads()
                    .newThread(() -> {
                        try (function) {
                            veto.complete(veto(id, session.getCheck(), function));
                        } catch (RuntimeException | Error unexpected) {
                            veto.completeExceptionally(unexpected);
                        }
                    })
                    .start();
            return veto;
        });
    }

    private Optional<String> veto(UUID id, StateCheck check, LoadedFunction function) {
        FutureId attempt = new FutureId(environment.randomId());
        FutureRecord record = FutureRecord.newBuilder()
                .setFunction(check.getFunction())
                .setArgumentKind(check.getArgumentKind())
                .setSchedulingSpec(SchedulingSpec.newBuilder()
                        .setSession(SessionBinding.newBuilder().setId(SessionIds.bytes(id))))
                .setClaim(ClaimToken.newBuilder().setSeat(seat.name()).setIncarnation(seat.incarnation()))
                .build();
        TaskCall.Inputs inputs = TaskCall.Inputs.withoutActor(
                function, Serialized.of(check.getArgument().toByteArray()), List.of(), Map.of());
        TaskCall.Ended ended = new TaskCall(attempt, record, inputs)
                .run(runtime.clients()
                        .context(attempt, record, function.artifacts(), new OwnThread())
                        .context());
        return switch (ended) {
            case TaskCall.Ended.Returned returned when Arrays.equals(returned.value(), YES) -> Optional.empty();
            case TaskCall.Ended.Threw threw ->
                Optional.of("its check of what is left after the restart has failed: "
                        + threw.failure().getType() + ": " + threw.failure().getMessage());
            default -> Optional.of("its check says that what it had on its worker is gone.");
        };
    }

    /** A thread that takes no room of tasks. */
    private static final class OwnThread implements Slot {
        @Override
        public boolean isMine() {
            return false;
        }

        @Override
        public void giveBack() {
            // There is nothing to give.
        }

        @Override
        public void takeAgain() {
            // There is nothing to take.
        }
    }
}
