/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.dataflow.share.TestRows;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Views that consumers read. */
@Timeout(120)
class ViewsTest extends ServedCircuitTest {

    private void steps() {
        circuit.first.step(TestRows.batch("+a 1"));
        circuit.second.step(TestRows.batch("+b,\"x 2"));
        circuit.first.step();
        circuit.second.step(TestRows.batch("+c 3"));
    }

    @Test
    void aSnapshotIsGivenAsTheCallerAccepts() throws IOException, InterruptedException {
        steps();
        HttpResponse<String> lines = get("/v1/views/totals");
        assertThat(lines.body())
                .isEqualTo("{\"name\":\"a\",\"n\":1}\n{\"name\":\"b,\\\"x\",\"n\":2}\n{\"name\":\"c\",\"n\":3}\n");
        assertThat(lines.headers().firstValue("Ratchet-Step")).contains("2");
        assertThat(lines.headers().firstValue("Ratchet-Position")).contains("position-2");
        assertThat(get("/v1/views/totals", "Accept", "application/json").body())
                .startsWith("[{\"name\":\"a\",\"n\":1},\n{")
                .endsWith("}]\n");
        assertThat(get("/v1/views/totals", "Accept", "text/csv;q=0.9").body())
                .isEqualTo("name,n\na,1\n\"b,\"\"x\",2\nc,3\n");
        assertRefused(get("/v1/views/totals", "Accept", "image/png"), 406, "text/csv");
        assertRefused(get("/v1/views/total"), 404, "There is no view 'total'", "Its views are totals, errors");
    }

    private BufferedReader follow(String path, String... headers) throws IOException, InterruptedException {
        HttpResponse<InputStream> response =
                client.send(HttpRequest.newBuilder(uri(path)).headers(headers).build(), BodyHandlers.ofInputStream());
        assertThat(response.statusCode()).isEqualTo(200);
        return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    private static List<String> read(BufferedReader reader, int lines) throws IOException {
        List<String> read = new ArrayList<>();
        while (read.size() < lines) {
            String line = reader.readLine();
            if (!line.isEmpty()) {
                read.add(line);
            }
        }
        return read;
    }

    @Test
    void aSubscriptionHasASnapshotAndThenWholeSteps() throws IOException, InterruptedException {
        circuit.first.step(TestRows.batch("+a 1"));
        circuit.second.step();
        try (BufferedReader lines = follow("/v1/views/totals?follow=true", "Accept", NDJSON)) {
            assertThat(read(lines, 3))
                    .containsExactly(
                            "{\"step\":1,\"snapshot\":true}",
                            "{\"step\":1,\"weight\":1,\"row\":{\"name\":\"a\",\"n\":1}}",
                            "{\"step\":1,\"position\":\"position-1\",\"complete\":true}");
            circuit.first.step(TestRows.batch("-a 1", "+a 2"));
            circuit.second.step(TestRows.batch("+b 1"));
            assertThat(read(lines, 4))
                    .containsExactly(
                            "{\"step\":2,\"weight\":-1,\"row\":{\"name\":\"a\",\"n\":1}}",
                            "{\"step\":2,\"weight\":1,\"row\":{\"name\":\"a\",\"n\":2}}",
                            "{\"step\":2,\"weight\":1,\"row\":{\"name\":\"b\",\"n\":1}}",
                            "{\"step\":2,\"position\":\"position-2\",\"complete\":true}");
            // What leaves comes first of a key, though its other columns are behind.
            circuit.first.step(TestRows.batch("-a 2", "+a 1"));
            circuit.second.step(TestRows.batch("-b 1", "+b 0"));
            assertThat(read(lines, 5))
                    .containsExactly(
                            "{\"step\":3,\"weight\":-1,\"row\":{\"name\":\"a\",\"n\":2}}",
                            "{\"step\":3,\"weight\":1,\"row\":{\"name\":\"a\",\"n\":1}}",
                            "{\"step\":3,\"weight\":-1,\"row\":{\"name\":\"b\",\"n\":1}}",
                            "{\"step\":3,\"weight\":1,\"row\":{\"name\":\"b\",\"n\":0}}",
                            "{\"step\":3,\"position\":\"position-3\",\"complete\":true}");
        }
    }

    @Test
    void aFollowerWhoIsNotAdmittedAnyMoreIsToldNoFurtherStep() throws IOException, InterruptedException {
        circuit.first.step(TestRows.batch("+a 1"));
        circuit.second.step();
        try (BufferedReader lines =
                follow("/v1/views/totals?follow=true", "Accept", NDJSON, "Authorization", "Bearer " + TOKEN)) {
            assertThat(read(lines, 3)).hasSize(3);

            Files.writeString(directory.resolve("token"), "another-token-of-this-test\n");
            circuit.first.step(TestRows.batch("+b 1"));
            circuit.second.step();

            assertThat(read(lines, 1)).singleElement().asString().contains("\"error\"", "The token is not");
        }
    }

    @Test
    void anEventStreamResumesBehindTheLastWholeStep() throws IOException, InterruptedException {
        steps();
        try (BufferedReader events =
                follow("/v1/views/totals?follow=true", "Accept", "text/event-stream", "Last-Event-ID", "1")) {
            assertThat(read(events, 5))
                    .containsExactly(
                            "event: change",
                            "data: {\"step\":2,\"weight\":1,\"row\":{\"name\":\"c\",\"n\":3}}",
                            "id: 2",
                            "event: complete",
                            "data: {\"step\":2,\"position\":\"position-2\",\"complete\":true}");
        }
    }

    @Test
    void aStepThatIsNotKeptAnyMoreIsGone() throws IOException, InterruptedException {
        steps();
        circuit.second.forgetBefore(2);
        assertRefused(
                get("/v1/views/totals?follow=true&after=0"), 410, "\"oldestStep\":2", "\"snapshotStep\":5", "snapshot");
        assertRefused(get("/v1/views/totals?follow=true&after=-1"), 400, "The parameter after is '-1'");
    }

    @Test
    void aStepThatTheCircuitDoesNotHaveYetIsOfAnotherOneAndGone() throws IOException, InterruptedException {
        steps();
        assertRefused(get("/v1/views/totals?follow=true&after=6"), 410, "no step 6", "\"snapshotStep\":5", "snapshot");
    }

    @Test
    void aQueryIsAnsweredOverTheViewsAtOneStep() throws IOException, InterruptedException {
        steps();
        HttpResponse<String> answer = post("/v1/query", "SELECT COUNT(*) AS rows_, SUM(n) AS n FROM totals;");
        assertThat(answer.body()).isEqualTo("{\"rows_\":3,\"n\":6}\n");
        assertThat(answer.headers().firstValue("Ratchet-Step")).contains("2");
        assertThat(post("/v1/query", "SELECT 1 AS one").body()).isEqualTo("{\"one\":1}\n");
    }

    @Test
    void aMistakeInAQueryHasItsPlace() throws IOException, InterruptedException {
        assertRefused(post("/v1/query", "SELECT name,\n  m FROM totals"), 400, "\"line\":2", "\"column\":3");
        assertRefused(post("/v1/query", "SELECT name FROM orders"), 400, "\"line\":1", "orders");
        assertRefused(post("/v1/query", "SELECT 1 AS x; CREATE VIEW w AS SELECT 2 AS y"), 400, "one SELECT");
        steps();
        assertRefused(post("/v1/query", "SELECT n / (n - n) AS x FROM totals"), 400, "can not be computed");
    }

    @Test
    void programAndStatusAreTold() throws IOException, InterruptedException {
        assertThat(get("/v1/program").body())
                .contains("\"tables\":[{\"name\":\"orders\",\"columns\":[{\"name\":\"name\",\"type\":\"VARCHAR\"")
                .contains("\"views\":[{\"name\":\"totals\"")
                .contains("\"nullable\":true}],\"key\":[\"name\"]},{\"name\":\"errors\"");
        assertThat(get("/v1/status").body())
                .contains("\"state\":\"RUNNING\"", "\"step\":5", "\"receivedRows\":{\"orders\":7}")
                .contains("\"lagRows\":{\"orders\":11}", "\"lagSteps\":{\"totals\":2}");
        assertRefused(get("/v1/picture"), 503, "No circuit runs here");
        assertRefused(get("/v1/picture", "Accept", "image/png"), 406, "image/svg+xml");
    }
}
