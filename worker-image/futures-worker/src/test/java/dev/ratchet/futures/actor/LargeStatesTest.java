/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.actor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.Failures;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.futures.worker.StoreFixture;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.Failure;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.store.fixture.Growth;
import dev.ratchet.store.fixture.MeasuredDatabase;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which pieces of states the sweep clears, after their worker has died. */
class LargeStatesTest {

    private static final ByteString CONTENT = ByteString.copyFrom(new byte[200_000]);
    private static final int PIECES = 3;
    private static final ClaimToken TOKEN = ClaimToken.newBuilder()
            .setSeat("w-0")
            .setIncarnation(1)
            .setEpoch(1)
            .setNonce(5)
            .build();

    private static final int MANY_BYTES = 8_000_000;
    private static final Set<String> KINDS =
            Set.of("LargeStates.forget", "LargeStates.read", "LargeStates.release", "PieceStore.write");

    private final MeasuredDatabase measured = new MeasuredDatabase();
    private final StoreFixture steps = new StoreFixture(measured.wrapper());
    private final LargeStates large = new LargeStates(steps.store);
    private final FutureId actor = FutureId.random();
    private final FutureId call = FutureId.random();
    private final StatePieces pieces = StatePieces.of(call, TOKEN, CONTENT);

    @BeforeEach
    void aCallHasWrittenAState() {
        steps.submitRunning(call, TOKEN);
        large.write(new LargeState(actor, pieces, CONTENT)).join();
        assertThat(written()).isEqualTo(PIECES);
    }

    @AfterEach
    void close() {
        steps.close();
    }

    @Test
    void thoseOfACallThatGoesOnAreKept() {
        large.sweep().join();
        assertThat(written()).isEqualTo(PIECES);
    }

    @Test
    void thoseOfACallThatHasEndedWithoutThemAreCleared() {
        LargeState other =
                new LargeState(FutureId.random(), StatePieces.of(FutureId.random(), TOKEN, CONTENT), CONTENT);
        large.write(other).join();
        end();

        large.sweep().join();
        assertThat(written())
                .as("nor are those of a call that nobody knows kept")
                .isZero();
    }

    @Test
    void thoseThatTheStateNamesAreKept() {
        record(CONTENT, pieces);
        end();

        large.sweep().join();
        assertThat(written()).isEqualTo(PIECES);
    }

    @Test
    void noTransactionGrowsWithTheSizeOfAState() {
        ByteString content = ByteString.copyFrom(new byte[MANY_BYTES]);
        LargeState kept = new LargeState(actor, StatePieces.of(call, TOKEN, content), content);
        LargeState unrecorded =
                new LargeState(FutureId.random(), StatePieces.of(FutureId.random(), TOKEN, content), content);
        LargeState left = new LargeState(FutureId.random(), StatePieces.of(FutureId.random(), TOKEN, content), content);
        List.of(kept, unrecorded, left).forEach(state -> large.write(state).join());
        record(content, kept.pieces());
        large.forget(unrecorded).join();
        end();

        large.sweep().join();
        assertThat(written()).isEqualTo(kept.pieces().count());
        assertThat(large.read(actor, state -> false).join().content()).isEqualTo(content);
        Growth.assertBounded(measured, KINDS, Map.of());
    }

    private void record(ByteString content, StatePieces named) {
        ActorSnapshot left = new ActorSnapshot(
                ActorStates.writer(call, TOKEN.getEpoch()),
                StateImage.recorded(ByteString.copyFrom(new byte[StateImage.CODE_BYTES]), content)
                        .bytes());
        ActorStates states = new ActorStates(steps.store.keys());
        steps.store
                .runPlain(transaction -> {
                    states.replacing(actor, ActorSnapshot.NONE, left.inPieces(named))
                            .apply(transaction);
                    return CompletableFuture.completedFuture(null);
                })
                .join();
    }

    private void end() {
        Failure failure = Failures.of(FailureKind.FAILURE_KIND_EXCEPTION, new IllegalStateException("lost"), "w-0");
        steps.store
                .run(futures -> futures.load(call)
                        .thenAccept(found ->
                                steps.recorder.end(futures, found.orElseThrow(), new Outcome.Failed(failure, true))))
                .join();
    }

    private int written() {
        return steps.store
                .read(transaction -> transaction
                        .getRange(steps.store.keys().actorPieces.range())
                        .asList())
                .join()
                .size();
    }
}
