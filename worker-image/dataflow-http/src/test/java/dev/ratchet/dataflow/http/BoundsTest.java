/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.ratchet.dataflow.query.ViewAnswers;
import dev.ratchet.dataflow.share.TestRows;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** What one client may take of a worker, and what is written of those who may not. */
@Timeout(120)
class BoundsTest extends ServedCircuitTest {

    private static final int OPEN_MAX = 2;

    @Override
    HttpLimits limits() {
        return new HttpLimits(16, 1 << 16, 8 << 10, 10_000, 5_000, OPEN_MAX, 1_000);
    }

    @Override
    ViewAnswers.Limits readLimits() {
        return new ViewAnswers.Limits(5_000, 0, 100);
    }

    private HttpResponse<InputStream> follow() throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(uri("/v1/views/totals?follow=true")).build(), BodyHandlers.ofInputStream());
    }

    @Test
    void aClientHasSoManyRequestsOpenAndOthersAreServedBesides() throws IOException, InterruptedException {
        circuit.first.step(TestRows.batch("+a 1"));
        circuit.second.step();
        try (InputStream one = follow().body();
                InputStream two = follow().body()) {
            HttpResponse<String> refused = get("/v1/status");
            assertRefused(refused, 429, "default", "has 2 requests open here, and 2 is the limit of one client");
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");
            try (HttpClient reader = client("reader")) {
                assertThat(reader.send(HttpRequest.newBuilder(uri("/v1/status")).build(), BodyHandlers.ofString())
                                .statusCode())
                        .isEqualTo(200);
            }
            assertThat(one.read()).isPositive();
            assertThat(two.read()).isPositive();
        }
        int status = 0;
        for (int step = 2; status != 200; step++) {
            circuit.first.step(TestRows.batch("+a " + step));
            circuit.second.step();
            status = get("/v1/status").statusCode();
            assertThat(status).isIn(200, 429);
        }
    }

    @Test
    void aClientBeginsSoManyRequestsInASecond() {
        AtomicLong now = new AtomicLong(1_000);
        ClientBounds bounds = new ClientBounds(100, 4, now::get);
        for (int i = 0; i < 4; i++) {
            bounds.begin("a").close();
        }
        assertThatThrownBy(() -> bounds.begin("a"))
                .isInstanceOf(HttpFailure.class)
                .hasMessage("a begins more than 4 requests per second");
        bounds.begin("b").close();
        now.addAndGet(250_000_000);
        bounds.begin("a").close();
        assertThatThrownBy(() -> bounds.begin("a")).isInstanceOf(HttpFailure.class);
    }

    @Test
    void aQueryThatTakesTooLongIsToldSoAndGivesItsPlaceBack() throws IOException, InterruptedException {
        circuit.first.step(TestRows.batch("+a 1"));
        circuit.second.step();
        int told = 0;
        for (int asked = 0; told < 5 && asked < 1_000; asked++) {
            HttpResponse<String> answer = post("/v1/query", "SELECT COUNT(*) AS n FROM totals");
            // It may have ended before anybody waits for it, or the place of the one before is not free yet.
            if (answer.statusCode() != 200 && answer.statusCode() != 429) {
                assertRefused(answer, 422, "The query has not ended within 0 ms", "make a view of it");
                told++;
            }
        }
        assertThat(told).isEqualTo(5);
    }

    @Test
    void whoIsRefusedIsALineOfTheAuditLog() throws IOException, InterruptedException {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger audit = (Logger) LoggerFactory.getLogger("ratchet.audit");
        lines.start();
        audit.addAppender(lines);
        audit.setLevel(Level.WARN);
        try (HttpClient stranger = client("stranger")) {
            assertRefused(
                    stranger.send(
                            HttpRequest.newBuilder(uri("/v1/views/totals")).build(), BodyHandlers.ofString()),
                    403,
                    "may not");
            assertRefused(get("/v1/status", "Authorization", "Bearer not-the-token-at-all"), 401, "The token is not");
            assertThat(get("/v1/status").statusCode()).isEqualTo(200);
        } finally {
            audit.detachAppender(lines);
            audit.setLevel(null);
        }
        List<String> told =
                lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        assertThat(told).hasSize(2);
        assertThat(told.get(0))
                .startsWith("Refused: caller=")
                .contains("stranger", "method=GET /v1/views/totals remote=127.0.0.1:", "may not");
        assertThat(told.get(1)).contains("caller=the bearer of a token", "method=GET /v1/status", "The token is not");
    }
}
