/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.ratchet.dataflow.InputFullException;
import dev.ratchet.dataflow.RowFormat;
import dev.ratchet.dataflow.TableRows;
import dev.ratchet.dataflow.query.WaitingBytes;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows that producers send. */
class TablesTest extends ServedCircuitTest {

    private static String text(TableRows rows) {
        return rows.table() + " " + rows.format() + " " + new String(rows.rows(), StandardCharsets.UTF_8);
    }

    @Test
    void rowsAreAppendedAsTheyAreSent() throws IOException, InterruptedException {
        HttpResponse<String> json = post("/v1/tables/orders", "{\"name\":\"a\",\"n\":1}\n", "Content-Type", NDJSON);
        assertThat(json.statusCode()).as(json.body()).isEqualTo(200);
        assertThat(json.body()).contains("\"position\":\"p1\"", "\"repeated\":false", "\"bytes\":19");
        HttpResponse<String> csv =
                post("/v1/tables/ORDERS", "name,n\na,1\n", "Content-Type", "text/csv; charset=utf-8");
        assertThat(csv.statusCode()).as(csv.body()).isEqualTo(200);
        assertThat(circuit.appended)
                .flatExtracting(request ->
                        request.tables().stream().map(TablesTest::text).toList())
                .containsExactly("orders NDJSON {\"name\":\"a\",\"n\":1}\n", "orders CSV name,n\na,1\n");
    }

    @Test
    void aRepetitionIsSaidToBeOneAndAProducerCanAsk() throws IOException, InterruptedException {
        String path = "/v1/tables/orders?producer=till-7&sequence=4";
        assertThat(post(path, "{}", "Content-Type", NDJSON).body()).contains("\"repeated\":false", "\"sequence\":4");
        HttpResponse<String> again = post(
                "/v1/tables/orders",
                "{}",
                "Content-Type",
                NDJSON,
                "Ratchet-Producer",
                "till-7",
                "Ratchet-Sequence",
                "4");
        assertThat(again.body()).contains("\"repeated\":true");
        assertThat(circuit.appended).hasSize(1);
        assertThat(get("/v1/producers/till-7").body()).contains("\"sequence\":4", "\"producer\":\"till-7\"");
        assertThat(get("/v1/producers/nobody").body()).contains("\"sequence\":-1");
    }

    @Test
    void severalTablesAreOneRequest() throws IOException, InterruptedException {
        String lines = """
                {"table":"orders","insert":{"name":"ä}","n":1.50}}

                { "delete" : {"name":"b"} , "table" : "customers" }
                {"table":"orders","delete":{"name":"c","n":2}}""";
        assertThat(post("/v1/tables", lines, "Content-Type", NDJSON).statusCode())
                .isEqualTo(200);
        assertThat(appendedLines())
                .containsExactly(
                        "orders 1 {\"insert\":{\"name\":\"ä}\",\"n\":1.50}}",
                        "orders 4 {\"delete\":{\"name\":\"c\",\"n\":2}}",
                        "customers 3 {\"delete\":{\"name\":\"b\"}}");
    }

    /**
     * Lines of the one request that was appended, each with its table and the number that an error of it would name.
     */
    private List<String> appendedLines() {
        assertThat(circuit.appended).hasSize(1);
        List<String> numbered = new ArrayList<>();
        for (TableRows rows : circuit.appended.getFirst().tables()) {
            assertThat(rows.format()).isEqualTo(RowFormat.NDJSON);
            long number = rows.linesBefore();
            for (String line :
                    new String(rows.rows(), StandardCharsets.UTF_8).lines().toList()) {
                number++;
                if (!line.isBlank()) {
                    numbered.add(rows.table() + " " + number + " " + line);
                }
            }
        }
        return numbered;
    }

    @Test
    void aLineThatIsNoRowOfItsTableKeepsItsPlaceAndTheOthersGoOn() throws IOException, InterruptedException {
        String lines = """
                {"table":"customers","insert":{"name":"a"}}
                {"table":"orders","row":{"name":"b","n":1}}
                {"insert":{"name":"c"},"table":"customers","insert":{"name":"d"}}
                {"table":"orders"}
                {"table":"customers","insert":{"name":
                {"table":"orders","insert":{"name":"e","n":2}}
                {"table":"orders","insert":{"name":"f","n":3}} {"table":"orders","insert":{"name":"g","n":4}}
                """;
        HttpResponse<String> answer = post("/v1/tables", lines, "Content-Type", NDJSON);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(appendedLines())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("customers 1 {\"insert\":{\"name\":\"a\"}}"),
                        line -> assertThat(line)
                                .isEqualTo("customers 3 [\"has a field 'insert' that does not belong there\","
                                        + "{\"insert\":{\"name\":\"c\"},\"table\":\"customers\","
                                        + "\"insert\":{\"name\":\"d\"}}]"),
                        line -> assertThat(line)
                                .startsWith("customers 5 [\"is no JSON: Unexpected end-of-input")
                                .endsWith("{\"table\":\"customers\",\"insert\":{\"name\":]"),
                        line -> assertThat(line)
                                .isEqualTo("orders 2 [\"has a field 'row' that does not belong there\","
                                        + "{\"table\":\"orders\",\"row\":{\"name\":\"b\",\"n\":1}}]"),
                        line -> assertThat(line).isEqualTo("orders 4 [\"has no row\",{\"table\":\"orders\"}]"),
                        line -> assertThat(line).isEqualTo("orders 6 {\"insert\":{\"name\":\"e\",\"n\":2}}"),
                        line -> assertThat(line).startsWith("orders 7 [\"has something behind its object\",{"));
    }

    @Test
    void aLineWhoseTableCanNotBeToldRefusesTheRequest() throws IOException, InterruptedException {
        String good = "{\"table\":\"orders\",\"insert\":{}}\n";
        assertRefused(post("/v1/tables", good + "{\"table\"", "Content-Type", NDJSON), 400, "Line 2 is no JSON");
        assertRefused(
                post("/v1/tables", good + "\n[]", "Content-Type", NDJSON), 400, "Line 3 is no object", "\"line\":3");
        assertRefused(post("/v1/tables", good + "{\"insert\":{}}", "Content-Type", NDJSON), 400, "Line 2 has no table");
        assertRefused(
                post("/v1/tables", good + "{\"table\":\"t\",\"insert\":{}}", "Content-Type", NDJSON),
                404,
                "There is no table 't'",
                "\"line\":2");
        assertThat(circuit.appended).isEmpty();
    }

    @Test
    void linesOfTablesThatAreMixedTooMuchAreRefused() {
        String pair = "{\"table\":\"orders\"}\n{\"table\":\"customers\"}" + "\n".repeat(1_000);
        byte[] lines = pair.repeat(600).getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> new TableLines(TestCircuit.PROGRAM.tables()).divide(lines))
                .isInstanceOf(HttpFailure.class)
                .hasMessageContaining("The lines of 2 tables are mixed too much");
    }

    @Test
    void whatIsWrongIsRefusedWithARemedyAndNothingIsAppended() throws IOException, InterruptedException {
        assertRefused(
                post("/v1/tables/order", "{}", "Content-Type", NDJSON),
                404,
                "There is no table 'order'",
                "Its tables are orders, customers");
        assertRefused(
                post("/v1/tables/orders", "{}", "Content-Type", "application/x-www-form-urlencoded"),
                415,
                "Content-Type: application/x-ndjson");
        assertRefused(post("/v1/tables/orders?producer=a", "{}", "Content-Type", NDJSON), 400, "without a sequence");
        assertRefused(
                post("/v1/tables/orders?producer=a&sequence=x", "{}", "Content-Type", NDJSON),
                400,
                "The parameter sequence is 'x'");
        assertRefused(post("/v1/tables/orders", "x".repeat(1 << 17), "Content-Type", NDJSON), 413, "65536 bytes");
        assertRefused(get("/v1/tables/orders"), 405, "Use POST");
        assertRefused(get("/v1/table/orders"), 404, "/v1/tables/NAME");
        assertThat(circuit.appended).isEmpty();
    }

    @Test
    void whoSendsTooMuchReadsTheAnswerWhole() throws IOException, InterruptedException {
        for (int request = 0; request < 50; request++) {
            assertRefused(post("/v1/tables/orders", "x".repeat(1 << 20), "Content-Type", NDJSON), 413, "65536 bytes");
        }
    }

    @Test
    void aCircuitThatIsBehindAsksToComeAgain() throws IOException, InterruptedException {
        circuit.refuses = () -> new InputFullException("5 GiB wait for the circuit", 2_500);
        HttpResponse<String> full = post("/v1/tables/orders", "{}", "Content-Type", NDJSON);
        assertRefused(full, 429, "5 GiB wait");
        assertThat(full.headers().firstValue("Retry-After")).get(STRING).isEqualTo("3");
    }

    @Test
    void whatComesAnotherWayTakesItsPartOfWhatMayWait() throws IOException, InterruptedException {
        String rows = "{\"name\":\"a\",\"n\":1}\n";
        try (WaitingBytes.Counted most = waiting.begin((1 << 20) - 8)) {
            HttpResponse<String> full = post("/v1/tables/orders", rows, "Content-Type", NDJSON);
            assertRefused(full, 429, "Too many requests are being stored", "in a second");
            assertThat(full.headers().firstValue("Retry-After")).contains("1");
        }
        assertThat(post("/v1/tables/orders", rows, "Content-Type", NDJSON).statusCode())
                .isEqualTo(200);
    }

    @Test
    void whereTheStoreIsClosedAsTheWorkerEndsItIsToBeSentAgain() throws IOException, InterruptedException {
        circuit.breaks = () -> new IllegalStateException("Cannot access closed object");
        HttpResponse<String> ending =
                post("/v1/tables/orders?producer=till-7&sequence=4", "{}", "Content-Type", NDJSON);
        assertRefused(ending, 503, "Cannot access closed object", "Send it again with the same producer and sequence");
        assertThat(ending.headers().firstValue("Retry-After")).contains("1");
    }

    @Test
    void withoutACircuitNothingIsTaken() throws IOException, InterruptedException {
        circuit.isRunning = false;
        assertRefused(
                post("/v1/tables/orders", "{}", "Content-Type", NDJSON),
                503,
                "worker-1 is not up",
                "WAITING_FOR_WORKER");
        circuit.isRunning = true;
        circuit.refuses = () -> new IllegalStateException("no store");
        assertRefused(post("/v1/tables/orders", "{}", "Content-Type", NDJSON), 503, "no store");
        circuit.refuses = () -> new IllegalArgumentException("a row is too long");
        assertRefused(post("/v1/tables/orders", "{}", "Content-Type", NDJSON), 400, "a row is too long");
    }
}
