/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import org.junit.jupiter.api.Test;

/** Code is held for short by how long it has taken, calls of an actor until most have taken long. */
class RunTimesTest {

    private static final long BRIEF_NANOS = 4_999_999;
    private static final long LONG_NANOS = 5_000_001;
    private static final ByteString CODE = ByteString.copyFromUtf8("code");
    private static final ByteString ACTOR = ByteString.copyFromUtf8("actor");

    private final RunTimes times = new RunTimes();

    private void run(ByteString actor, int runs, long nanos) {
        for (int i = 0; i < runs; i++) {
            times.add(
                    FutureRecord.newBuilder().setFunction(CODE).setActor(actor).build(), nanos);
        }
    }

    private boolean isShort(ByteString actor) {
        return times.isShort(
                SubmittedFuture.newBuilder().setFunction(CODE).setActor(actor).build());
    }

    @Test
    void codeIsShortAfterFiftyRunsOfWhichAtMostOneInAHundredWasLong() {
        assertThat(isShort(ByteString.EMPTY)).as("never run").isFalse();
        run(ByteString.EMPTY, 49, BRIEF_NANOS);
        assertThat(isShort(ByteString.EMPTY)).isFalse();
        run(ByteString.EMPTY, 1, BRIEF_NANOS);
        assertThat(isShort(ByteString.EMPTY)).isTrue();
        run(ByteString.EMPTY, 1, LONG_NANOS);
        assertThat(isShort(ByteString.EMPTY)).as("one in 51").isFalse();
        run(ByteString.EMPTY, 49, BRIEF_NANOS);
        assertThat(isShort(ByteString.EMPTY)).as("one in 100").isTrue();
    }

    @Test
    void callsOfAnActorAreShortUntilMostHaveTakenLongWhateverOtherCallsOfTheirCodeTake() {
        run(ByteString.EMPTY, 100, LONG_NANOS);
        assertThat(isShort(ACTOR)).as("never called").isTrue();
        run(ACTOR, 2, BRIEF_NANOS);
        run(ACTOR, 3, LONG_NANOS);
        assertThat(isShort(ACTOR)).as("3 of 5").isTrue();
        run(ACTOR, 2, LONG_NANOS);
        assertThat(isShort(ACTOR)).as("5 of 7").isFalse();
    }

    @Test
    void whatWasLongOnceIsForgottenInTime() {
        run(ByteString.EMPTY, 200, LONG_NANOS);
        run(ByteString.EMPTY, 20_000, BRIEF_NANOS);
        assertThat(isShort(ByteString.EMPTY)).isTrue();
    }
}
