/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.FutureDescription;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.State;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long futures are drawn: by what was recorded, whatever the clocks of the machines that recorded it said. */
class DrawnTimesTest {

    private static final long SUBMITTED = 1_000_000;
    private static final long CLAIMED = 1_000_100;
    private static final long NOW = 9_000_000;

    @Test
    void whatRunsEndsNow() throws Exception {
        FutureDescription running = future(State.STATE_CLAIMED).build();

        assertThat(sliceMillis(running)).isEqualTo(NOW - CLAIMED);
        assertThat(spanMillis(running)).isEqualTo(NOW - SUBMITTED);
    }

    @Test
    void whatWaitsForAnotherAttemptDoesNotRun() throws Exception {
        FutureDescription retried = future(State.STATE_QUEUED).build();

        assertThat(sliceMillis(retried)).isZero();
        assertThat(spanMillis(retried)).isEqualTo(NOW - SUBMITTED);
    }

    @Test
    void whatIsDoneHasEndedAlsoWhereItsEndWasRecordedByAClockThatIsBehind() throws Exception {
        for (State state : List.of(State.STATE_REALIZED, State.STATE_CANCELLED, State.STATE_FAILED, State.STATE_LOST)) {
            FutureDescription done =
                    future(state).setDoneWallMillis(CLAIMED + 7).build();
            FutureDescription behind =
                    future(state).setDoneWallMillis(SUBMITTED - 3_600_000).build();

            assertThat(sliceMillis(done)).as("%s", state).isEqualTo(7);
            assertThat(spanMillis(done)).as("%s", state).isEqualTo(107);
            assertThat(sliceMillis(behind)).as("%s", state).isZero();
            assertThat(spanMillis(behind)).as("%s", state).isEqualTo(100);
        }
    }

    @Test
    void namesMayHoldAnything() throws Exception {
        String name = "a \"b\" \\ \u001b[31m <script> \u2028 \u65e5\u672c \ud83d\ude00";
        FutureDescription future = future(State.STATE_REALIZED)
                .setDoneWallMillis(NOW)
                .setName(name)
                .build();

        assertThat(slice(future).get("name").asText()).isEqualTo(name);
        assertThat(span(future).getName()).isEqualTo(name);
    }

    private static FutureDescription.Builder future(State state) {
        return FutureDescription.newBuilder()
                .setId(Ids.bytes(FutureId.random()))
                .setState(state)
                .setSubmittedWallMillis(SUBMITTED)
                .setClaimedWallMillis(CLAIMED)
                .setClaim(ClaimToken.newBuilder().setSeat("orders-w-0").setIncarnation(1));
    }

    private static long sliceMillis(FutureDescription future) throws Exception {
        return slice(future).get("dur").asLong() / 1_000;
    }

    private static JsonNode slice(FutureDescription future) throws Exception {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            ChromeTrace.write(List.of(future), NOW, json);
        }
        for (JsonNode event : new ObjectMapper().readTree(text.toString()).get("traceEvents")) {
            if (event.get("ph").asText().equals("X")) {
                return event;
            }
        }
        throw new AssertionError("There is no slice in " + text);
    }

    private static long spanMillis(FutureDescription future) throws Exception {
        Span span = span(future);
        return (span.getEndTimeUnixNano() - span.getStartTimeUnixNano()) / 1_000_000;
    }

    private static Span span(FutureDescription future) throws Exception {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            SpanTrace.write("job", List.of(future), NOW, json);
        }
        return OtlpJson.read(text.toString()).get(0);
    }
}
