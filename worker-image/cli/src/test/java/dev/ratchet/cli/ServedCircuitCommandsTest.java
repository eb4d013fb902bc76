/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.dataflow.DataflowCluster;
import dev.ratchet.dataflow.DataflowState;
import dev.ratchet.dataflow.http.CircuitHttpServer;
import dev.ratchet.dataflow.http.HttpLimits;
import dev.ratchet.dataflow.query.DataflowCircuit;
import dev.ratchet.dataflow.query.ServedCircuit;
import dev.ratchet.dataflow.query.TableIntake;
import dev.ratchet.dataflow.query.ViewAnswers;
import dev.ratchet.dataflow.query.WaitingBytes;
import dev.ratchet.dataflow.share.DataflowShares;
import dev.ratchet.dataflow.share.SharesService;
import dev.ratchet.dataflow.share.ViewReader;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.protocol.security.TestAuthority;
import dev.ratchet.protocol.security.TestAuthority.Issued;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The commands of a shell against a circuit that runs and is served over TLS. */
@Timeout(60)
class ServedCircuitCommandsTest {

    private static final String PROGRAM = "CREATE TABLE t (k VARCHAR NOT NULL, v INT NOT NULL);"
            + " CREATE VIEW s AS SELECT k, SUM(v) AS total FROM t GROUP BY k;";
    private static final TestAuthority AUTHORITY = new TestAuthority("cluster");

    @TempDir
    private Path directory;

    private final SystemEnvironment environment = new SystemEnvironment();
    private DataflowCluster cluster;
    private Server shares;
    private ManagedChannel channel;
    private CircuitHttpServer server;
    private String connection;
    private String printed = "";
    private String complained = "";

    @BeforeEach
    void serve() throws IOException {
        cluster = new DataflowCluster(directory, 1);
        cluster.configure(DataflowCluster.settings(PROGRAM));
        cluster.awaitState(0, DataflowState.RUNNING);
        String name = InProcessServerBuilder.generateName();
        shares = InProcessServerBuilder.forName(name)
                .addService(new SharesService(cluster.worker(0).shares(), environment.executor(), () -> 1))
                .build()
                .start();
        channel = InProcessChannelBuilder.forName(name)
                .executor(environment.executor())
                .build();
        Issued worker = AUTHORITY.issue(new Identity("team-a", "orders", Kind.WORKER, "w-0"));
        ServedCircuit circuit = new DataflowCircuit(
                cluster.worker(0),
                new ViewReader(
                        new DataflowShares(cluster.worker(0), participant -> channel),
                        environment,
                        ViewReader.Limits.DEFAULT));
        server = new CircuitHttpServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                MutualTls.fromPem(worker.certificate(), worker.key(), worker.authorities())
                        .serverContext(),
                (caller, writes) -> Optional.empty(),
                Optional.empty(),
                circuit,
                new ViewAnswers(circuit, ViewAnswers.Limits.DEFAULT),
                new TableIntake(circuit, new WaitingBytes(WaitingBytes.DEFAULT_MAX)),
                HttpLimits.DEFAULT);
        server.start();
        connection = document(List.of("127.0.0.1:" + server.port()));
    }

    @AfterEach
    void end() {
        server.close();
        channel.shutdownNow();
        shares.shutdownNow();
        cluster.close();
        environment.close();
    }

    private String document(List<String> circuitEndpoints) throws IOException {
        Issued client = AUTHORITY.issue(new Identity("team-a", "orders", Kind.CLIENT, "default"));
        return Files.writeString(
                        directory.resolve("connection"),
                        new ObjectMapper()
                                .writeValueAsString(Map.of(
                                        "cluster", "orders",
                                        "namespace", "team-a",
                                        "authority", Identity.authority("w-0", "team-a"),
                                        "endpoints", List.of("127.0.0.1:1"),
                                        "circuitEndpoints", circuitEndpoints,
                                        "certificate", client.certificate(),
                                        "key", client.key(),
                                        "authorities", client.authorities())))
                .toString();
    }

    private int circuit(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = RatchetCommand.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        String[] all = new String[arguments.length + 3];
        all[0] = "circuit";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        all[arguments.length + 1] = "--connection";
        all[arguments.length + 2] = connection;
        int code = command.execute(all);
        printed = out.toString();
        complained = err.toString();
        return code;
    }

    private void run(String... arguments) {
        assertThat(circuit(arguments)).as(() -> complained).isZero();
    }

    private void refused(String words, String... arguments) {
        assertThat(circuit(arguments)).as(printed).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(complained).contains(words);
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private void awaitRows(String... lines) {
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            run("query", "SELECT k, total FROM s");
            assertThat(printed.lines()).containsExactly(lines);
        });
    }

    @Test
    void aFileThatHasGrownIsSentOnFromWhereItWasReceived() throws IOException {
        Path rows = file("rows.csv", "k,v\na,1\n\"b\nc\",2\n");
        String[] push = {"push", rows.toString(), "--table=t", "--producer=till-7"};
        run(push);
        assertThat(printed).isEqualTo("pushed 16 bytes in 1 requests; of producer till-7 16 bytes are there\n");
        run(push);
        assertThat(printed).isEqualTo("nothing to push: 16 bytes of till-7 were received before\n");
        Files.writeString(rows, "a,5", StandardOpenOption.APPEND);
        run("push", rows.toString(), "--table=t", "--producer=till-7", "-o", "json");
        assertThat(printed).contains("\"bytes\":3", "\"sequence\":19");
        awaitRows("k    total", "a    6", "b c  2");
        Path other = file("other.csv", "k,v\na,1\n");
        refused(
                "The producer has sent 19 bytes already, this input is shorter",
                "push",
                other.toString(),
                "--table=t",
                "--producer=till-7");
        assertThat(complained).contains("another --producer");
        Path strange = file("strange.csv", "k,v\nx,1000000000000000000000\n");
        refused(
                "19 bytes already, which end within a row",
                "push",
                strange.toString(),
                "--table=t",
                "--producer=till-7");
        awaitRows("k    total", "a    6", "b c  2");
    }

    @Test
    void aViewIsWatchedStepByStepAndResumedBehindOne() throws IOException {
        Path first = file("first.jsonl", "{\"table\":\"t\",\"insert\":{\"k\":\"a\",\"v\":1}}\n");
        run("push", first.toString());
        awaitRows("k  total", "a  1");
        run("watch", "s", "--limit=1", "-o", "json");
        List<String> lines = printed.lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(1)).contains("\"weight\":1,\"row\":{\"k\":\"a\",\"total\":1}");
        JsonNode complete = new ObjectMapper().readTree(lines.getLast());
        assertThat(complete.path("complete").asBoolean()).isTrue();
        run("push", file("second.jsonl", "{\"k\":\"a\",\"v\":2}\n").toString(), "--table=t");
        run("watch", "s", "--limit=1", "--after=" + complete.path("step").asLong());
        assertThat(printed.lines().skip(1))
                .containsExactlyInAnyOrder("-1 {\"k\":\"a\",\"total\":1}", "+1 {\"k\":\"a\",\"total\":3}");
        assertThat(printed).startsWith("step ").doesNotContain("all rows");
    }

    @Test
    void whatTheCircuitDoesIsTold() throws IOException {
        run("push", file("one.jsonl", "{\"k\":\"a\",\"v\":1}\n").toString(), "--table=t");
        awaitRows("k  total", "a  1");
        await("what processes tell behind their steps")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> {
                    run("status");
                    assertThat(printed)
                            .startsWith("circuit running: step ")
                            .contains("TABLE  ROWS  LAG-ROWS\nt      1     0\n");
                });
        run("status", "-o", "json");
        assertThat(new ObjectMapper().readTree(printed).path("state").asText()).isEqualTo("RUNNING");
        run("query", "SELECT COUNT(*) AS n FROM s WHERE k = 'x'", "-o", "json");
        assertThat(new ObjectMapper()
                        .readTree(printed)
                        .path("rows")
                        .path(0)
                        .path("n")
                        .asInt(-1))
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({"svg, <svg", "dot, digraph", "json, stateBytes"})
    void theCircuitIsDrawnWithWhatTheWorkerDid(String ending, String content) throws IOException {
        run("push", file("one.jsonl", "{\"k\":\"a\",\"v\":1}\n").toString(), "--table=t");
        awaitRows("k  total", "a  1");
        Path picture = directory.resolve("circuit." + ending);
        String rows = ending.equals("json") ? "\"rows\": 1," : "1 rows, ";
        await("rows in the picture").atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            run("status", "--picture=" + picture);
            assertThat(picture).content().contains(content, "aggregate", rows);
        });
        assertThat(circuit("status", "--picture=circuit.png")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(complained).contains(".svg, .dot or .json");
    }

    @Test
    void watchingTellsEachChangeOfTheWholeCircuit() throws Exception {
        StringWriter shown = new StringWriter();
        Thread watch = Thread.ofVirtual().start(() -> RatchetCommand.commandLine()
                .setOut(new PrintWriter(shown))
                .execute("circuit", "status", "--connection", connection, "--watch", "-o", "json"));
        await().atMost(Duration.ofSeconds(30))
                .until(() -> shown.toString().contains("{\"event\":\"ADDED\",\"circuit\":{\"state\":\"RUNNING\""));
        run("push", file("rows.jsonl", "{\"k\":\"a\",\"v\":1}\n").toString(), "--table=t");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> shown.toString().contains("MODIFIED")
                        && shown.toString().contains("\"tables\":[{\"name\":\"t\",\"rows\":1,\"lagRows\":0}]"));
        watch.interrupt();
        assertThat(watch.join(Duration.ofSeconds(20)))
                .as("ends when it is interrupted")
                .isTrue();
    }

    @Test
    void mistakesNameTheirPlaceAndWhatToDo() throws IOException {
        Path rows = file("rows.jsonl", "{\"k\":\"a\",\"v\":1}\n");
        refused("There is no table 'u' in the program. Its tables are t.", "push", rows.toString(), "--table=u");
        refused("Line 1 has a field 'k'", "push", rows.toString());
        refused("There is no view 'u' in the program. Its views are s, errors.", "watch", "u");
        refused("line 1, column 8", "query", "SELECT x FROM s");
        refused("Rows of CSV name no table. Give it with --table.", "push", "--format=csv");
        refused(
                "There is no file ",
                "push",
                "--table=t",
                directory.resolve("none").toString());
        connection = document(List.of());
        refused("The connection names no circuit of the cluster team-a/orders", "status");
        connection = document(List.of("127.0.0.1:1"));
        assertThat(circuit("status", "--timeout=1")).isEqualTo(CommandLine.ExitCode.SOFTWARE);
        assertThat(complained).contains("has not answered within 1 s", "127.0.0.1:1");
        run("status", "--endpoint=127.0.0.1:" + server.port());
    }
}
