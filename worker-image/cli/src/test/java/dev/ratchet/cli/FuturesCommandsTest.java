/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.Session;
import dev.ratchet.client.SessionOptions;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.environment.Environment;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.cluster.TestCluster;
import dev.ratchet.protocol.release.Release;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What the commands about futures say of a cluster of two workers, and what they do to it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FuturesCommandsTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final FutureId UNKNOWN = FutureId.parse("00000000-0000-4000-8000-000000000000");

    private Path directory;
    private TestCluster cluster;
    private Ratchet ratchet;

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        directory = temporary;
        cluster = new TestCluster(directory);
        cluster.start(0, 2);
        cluster.start(1, 2, Map.of("zone", "a"));
        ratchet = cluster.connect();
    }

    @AfterAll
    void stop() throws Exception {
        cluster.close();
    }

    /** What a command has said, line by line, and with what code it has ended. */
    private record Said(int code, List<String> out, String err) {

        /** The first cells of the rows below a table's titles. */
        List<String> firsts() {
            return out.stream().skip(1).map(line -> line.split(" ", 2)[0]).toList();
        }
    }

    @Test
    void sessionsAreListedWithTheirLabelsAndFoundByThem() throws Exception {
        SessionOptions options = SessionOptions.defaults().withLabel("team", "vision");
        try (Session one = ratchet.sessions().open(options.withLabel("model", "large"));
                Session other = ratchet.sessions().open(options)) {
            String first = one.info().id().toString();
            String second = other.info().id().toString();
            assertThat(run("sessions", "list", "--label", "team=vision").firsts())
                    .containsExactlyInAnyOrder(first, second);
            Said both = run("sessions", "list", "--label", "team=vision", "--label", "model=large");
            assertThat(both.firsts()).containsExactly(first);
            assertThat(both.out().getLast()).contains("model=large,team=vision");
            Said none = run("sessions", "list", "--label", "team=sound");
            assertThat(none.firsts()).isEmpty();
            assertThat(none.err()).contains("No session has the labels team=sound.");
            assertThat(run("sessions", "show", second).out())
                    .anySatisfy(line -> assertThat(line).matches("labels +team=vision"));
            assertThat(one.info().labels()).isEqualTo(Map.of("team", "vision", "model", "large"));
        }
        assertThatThrownBy(() -> options.withLabel("not a key", "")).isInstanceOf(InvalidInputException.class);
    }

    @Test
    void showTellsWhatASessionRequiresOfItsWorker() throws Exception {
        SessionOptions options = SessionOptions.defaults().withWorkerLabel("zone", "a");
        try (Session session = ratchet.sessions().open(options)) {
            assertThat(run("sessions", "show", session.info().id().toString()).out())
                    .anySatisfy(line -> assertThat(line).matches("workerLabels +zone=a"));
        }
    }

    @Test
    void listFindsByEachOptionAndByAllTogether() {
        SubmitOptions job = SubmitOptions.ofJob("listed").withMaxRetries(0);
        DurableFuture<byte[]> first = done(ratchet.submit(job.withName("alpha"), CliTasks.bytes(10)));
        DurableFuture<Integer> failed = done(ratchet.submit(job.withTenant("other"), CliTasks.failing()));
        String seat = cluster.record(first.id()).getClaim().getSeat();

        assertThat(run("futures", "list", "--job", "listed").firsts())
                .containsExactlyInAnyOrder(first.id().toString(), failed.id().toString());
        assertThat(run("futures", "list", "--name", "alpha").firsts())
                .containsExactly(first.id().toString());
        assertThat(run("futures", "list", "--tenant", "other").firsts())
                .containsExactly(failed.id().toString());
        assertThat(run("futures", "list", "--job", "listed", "--state", "FAILED,cancelled")
                        .firsts())
                .containsExactly(failed.id().toString());
        assertThat(run("futures", "list", "--seat", seat, "--job", "listed", "--state", "REALIZED")
                        .firsts())
                .containsExactly(first.id().toString());
        Said one = run("futures", "list", "--job", "listed", "--limit", "1");
        assertThat(one.firsts()).hasSize(2);
        assertThat(one.out().get(2)).isEqualTo("... more than 1 futures: raise --limit");
        assertThat(run("futures", "list", "--job", "listed", "--limit", "2").firsts())
                .as("all there are")
                .hasSize(2);
        assertThat(one.out().get(0)).startsWith("FUTURE").contains("STATE", "JOB", "NAME", "ATTEMPTS", "WORKER");
        Said none = run("futures", "list", "--job", "no such job");
        assertThat(none.code()).isZero();
        assertThat(none.firsts()).isEmpty();
        assertThat(none.err()).isEqualTo("No future is like that.");
        assertThat(one.err()).isEmpty();
    }

    @Test
    void showTellsAllAboutOneFutureAndWhyItFailed() {
        DurableFuture<Integer> failed =
                done(ratchet.submit(SubmitOptions.ofJob("shown").withMaxRetries(0), CliTasks.failing()));

        Said shown = run("futures", "show", failed.id().toString());
        assertThat(shown.code()).isZero();
        assertThat(String.join("\n", shown.out()))
                .contains("state        FAILED", "job          shown", "attempts     1 of 1", "out of paper");

        Said unknown = run("futures", "show", UNKNOWN.toString());
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).isEqualTo("ratchet: No future has the id " + UNKNOWN);
    }

    /** A terminal obeys escape sequences, whoever has written them. */
    @Test
    void whatTasksHaveWrittenDoesNotReachTheTerminalAsCommands() {
        DurableFuture<Integer> failed =
                done(ratchet.submit(SubmitOptions.ofJob("escapes").withMaxRetries(0), CliTasks.escaping()));

        Said shown = run("futures", "show", failed.id().toString());
        assertThat(String.join("\n", shown.out()))
                .contains("\\u001b]0;owned\\u0007 second", "line \\u202eabc")
                .doesNotContain("\u001b", "\u0007", "\u202e");
        Said wrong = run("futures", "show", "\u001b[2J");
        assertThat(wrong.err()).contains("\\u001b[2J").doesNotContain("\u001b");

        DurableFuture<Integer> said = running(ratchet.submit(SubmitOptions.ofJob("notes"), CliTasks.noting()));
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> run("futures", "show", said.id().toString()).out().stream()
                        .anyMatch(line -> line.startsWith("progress")));
        Said listed = run("futures", "list", "--job", "notes");
        assertThat(listed.out()).hasSize(2);
        assertThat(listed.out().get(1)).endsWith("1/2 (50 %) two lines \\u001b[31m");
        assertThat(run("futures", "cancel", said.id().toString()).code()).isZero();
    }

    @Test
    void treeShowsWhatTheCodeOfAFutureHasSubmitted() {
        DurableFuture<Integer> family =
                done(ratchet.submit(SubmitOptions.ofJob("tree").withName("family"), CliTasks.family()));

        Said tree = run("futures", "tree", family.id().toString());
        assertThat(tree.out()).hasSize(4);
        assertThat(tree.out().get(1)).matches(family.id() + "    REALIZED  family .*");
        assertThat(tree.out().subList(2, 4)).allMatch(line -> line.matches("  [0-9a-f-]{36}  REALIZED.*"));
        JsonNode futures = json(run("futures", "tree", family.id().toString(), "-o", "json"))
                .path("futures");
        assertThat(futures.findValuesAsText("depth")).containsExactly("0", "1", "1");
        assertThat(futures.path(2).path("parent").asText())
                .isEqualTo(family.id().toString());
    }

    @Test
    void cancelAndKillEndWhatIsNamedOrFound() {
        SubmitOptions job = SubmitOptions.ofJob("ended").withMaxRetries(1);
        DurableFuture<Integer> killed = running(ratchet.submit(job, CliTasks.never()));
        assertThat(run("futures", "kill", killed.id().toString()).out()).containsExactly(killed.id() + " killed");
        running(killed);
        assertThat(cluster.record(killed.id()).getNumAttempts()).isEqualTo(2);

        assertThat(run("futures", "cancel", killed.id().toString()).out()).containsExactly(killed.id() + " cancelled");
        assertThat(run("futures", "cancel", killed.id().toString()).code())
                .as("a repeated call says the same")
                .isZero();
        Said late = run(
                "futures",
                "cancel",
                done(ratchet.submit(job, CliTasks.bytes(1))).id().toString());
        assertThat(late.code()).isEqualTo(1);
        assertThat(late.out()).singleElement().asString().endsWith(" done before, or unknown");

        DurableFuture<Integer> found = running(ratchet.submit(job, CliTasks.never()));
        assertThat(run("futures", "kill", "--job", "ended", "--state", "claimed")
                        .out())
                .containsExactly("1 attempts killed");
        running(found);
        assertThat(run("futures", "cancel", "--job", "ended").out()).containsExactly("1 futures cancelled");
        assertThat(run("futures", "cancel").err()).contains("Give either ids of futures or options");
    }

    @Test
    void deleteRemovesAndTellsWhatIsUnknown() {
        DurableFuture<byte[]> future = done(ratchet.submit(SubmitOptions.ofJob("deleted"), CliTasks.bytes(3)));

        assertThat(run("futures", "delete", future.id().toString()).out()).containsExactly(future.id() + " deleted");
        Said again = run("futures", "delete", future.id().toString(), UNKNOWN.toString());
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.out()).containsExactly(future.id() + " unknown", UNKNOWN + " unknown");
        assertThat(run("futures", "list", "--job", "deleted").firsts()).isEmpty();
    }

    @Test
    void retentionTellsHowLongFuturesAreKeptAndChangesIt() {
        assertThat(run("futures", "retention").out()).containsExactly("Futures are kept for 1d after their ends.");
        assertThat(run("futures", "retention", "90m").out())
                .containsExactly("Futures are kept for 1h30m after their ends.");
        assertThat(run("futures", "retention", "1d").out())
                .containsExactly("Futures are kept for 1d after their ends.");
    }

    @Test
    void objectsAreThoseThatWorkersHold() {
        DurableFuture<byte[]> large = done(ratchet.submit(SubmitOptions.ofJob("objects"), CliTasks.bytes(50_000)));
        done(ratchet.submit(SubmitOptions.ofJob("objects"), CliTasks.bytes(5)));
        String seat = cluster.record(large.id()).getClaim().getSeat();

        Said all = run("objects", "--job", "objects");
        assertThat(all.firsts()).containsExactly(large.id().toString());
        assertThat(all.out().get(1)).contains("REALIZED", seat);
        Said elsewhere = run("objects", "--job", "objects", "--seat", "orders-w-7");
        assertThat(elsewhere.firsts()).isEmpty();
        assertThat(elsewhere.err()).isEqualTo("No worker holds a result like that.");
        assertThat(run("objects", "--limit", "0").code()).isEqualTo(2);
    }

    @Test
    void workersAndJobsAreShownWithTheirStates() {
        done(ratchet.submit(SubmitOptions.ofJob("status"), CliTasks.bytes(1)));

        assertThat(run("workers").firsts()).containsExactly("orders-w-0", "orders-w-1");
        assertThat(run("workers").out().get(1)).contains("HEALTHY", Release.VERSION);
        assertThat(run("status", "--job", "status").out().get(1)).matches("status +0 +0 +0 +0 +0 +1 +0 +0 +0 +0 +0");
        Said unknown = run("status", "--job", "statos");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).contains("There is no future of a job 'statos'.");
    }

    @Test
    void anOpenTelemetryCollectorReadsTheSpansOfAJob() throws Exception {
        SubmitOptions job = SubmitOptions.ofJob("spans");
        DurableFuture<Integer> family = done(ratchet.submit(job.withName("family"), CliTasks.family()));
        for (DurableFuture<Integer> one : ratchet.map(job, List.of(1, 2, 3, 4, 5, 6, 7, 8, 9), CliTasks.half())) {
            done(one);
        }
        Path file = directory.resolve("spans.json");

        assertThat(run("trace", "spans", "--format", "otlp", "--output", file.toString())
                        .out())
                .containsExactly("12 futures in " + file);
        List<Span> spans = OtlpJson.read(Files.readString(file));

        assertThat(spans).hasSize(12);
        assertThat(spans.stream().map(Span::getSpanId).distinct()).as("ids").hasSize(12);
        assertThat(spans.stream().map(Span::getTraceId).distinct()).as("traces").hasSize(1);
        Span root = spans.stream()
                .filter(span -> span.getName().equals("family"))
                .findFirst()
                .orElseThrow();
        assertThat(root.getSpanId().size()).isEqualTo(8);
        assertThat(root.getTraceId().size()).isEqualTo(16);
        assertThat(root.getAttributesList())
                .anyMatch(attribute -> attribute.getKey().equals("ratchet.future")
                        && attribute
                                .getValue()
                                .getStringValue()
                                .equals(family.id().toString()));
        assertThat(spans.stream().filter(span -> span.getParentSpanId().equals(root.getSpanId())))
                .as("children")
                .hasSize(2);
        assertThat(spans).allSatisfy(span -> {
            assertThat(span.getEndTimeUnixNano()).isGreaterThanOrEqualTo(span.getStartTimeUnixNano());
            assertThat(span.getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_OK);
        });
    }

    @Test
    void aTraceHasASliceForEachFutureAndAnArrowToEachChild() throws Exception {
        assertThat(done(ratchet.submit(SubmitOptions.ofJob("traced").withName("family"), CliTasks.family()))
                        .isDone())
                .isTrue();
        Path file = directory.resolve("trace.json");

        Said said = run("trace", "traced", "--output", file.toString());
        assertThat(said.out()).containsExactly("3 futures in " + file);
        Map<String, List<JsonNode>> phases = new HashMap<>();
        new ObjectMapper().readTree(Files.readString(file)).get("traceEvents").forEach(event -> phases.computeIfAbsent(
                        event.get("ph").asText(), unused -> new ArrayList<>())
                .add(event));
        assertThat(phases.get("X"))
                .hasSize(3)
                .allMatch(slice -> slice.get("dur").asLong() >= 0);
        assertThat(phases.get("s")).hasSize(2);
        assertThat(phases.get("f")).hasSize(2);
        JsonNode parent = phases.get("X").stream()
                .filter(slice -> slice.get("name").asText().equals("family"))
                .findFirst()
                .orElseThrow();
        assertThat(phases.get("s"))
                .as("arrows begin within the parent's slice")
                .allMatch(arrow -> arrow.get("tid").equals(parent.get("tid"))
                        && arrow.get("ts").asLong() >= parent.get("ts").asLong()
                        && arrow.get("ts").asLong()
                                <= parent.get("ts").asLong() + parent.get("dur").asLong());

        assertThat(run("trace", "nothing", "--output", file.toString()).err()).contains("There is no job nothing");
        Path nowhere = directory.resolve("nowhere");
        assertThat(run(
                                "trace",
                                "traced",
                                "--output",
                                nowhere.resolve("trace.json").toString())
                        .err())
                .endsWith("can not be written: there is no directory " + nowhere);
    }

    @Test
    void checkAsksAWorkerWhereAConnectionIsNamed() {
        done(ratchet.submit(SubmitOptions.ofJob("checked"), CliTasks.bytes(1)));

        Said said = run("check", "--connection", "unused");
        assertThat(said.code()).isZero();
        assertThat(said.out()).singleElement().asString().matches("checked \\d+ keys of \\d+ futures at .*: all agree");
    }

    @Test
    void programsReadFieldsThatKeepTheirNames() throws Exception {
        DurableFuture<Integer> failed =
                done(ratchet.submit(SubmitOptions.ofJob("fields").withMaxRetries(0), CliTasks.failing()));
        DurableFuture<byte[]> large = done(ratchet.submit(SubmitOptions.ofJob("fields"), CliTasks.bytes(50_000)));
        String id = failed.id().toString();

        JsonNode shown = json(run("futures", "show", id, "-o", "json"));
        assertThat(shown.path("id").asText()).isEqualTo(failed.id().toString());
        assertThat(shown.path("state").asText()).isEqualTo("FAILED");
        assertThat(shown.path("failure").path("message").asText()).contains("out of paper");
        assertThat(Instant.parse(shown.path("submitted").asText())).isBefore(Instant.now());
        assertThat(new YAMLMapper()
                        .readTree(String.join(
                                "\n", run("futures", "show", id, "-o", "yaml").out())))
                .isEqualTo(shown);

        JsonNode listed = json(run("futures", "list", "--job", "fields", "-o", "json"));
        assertThat(listed.path("futures").findValuesAsText("id"))
                .containsExactlyInAnyOrder(failed.id().toString(), large.id().toString());
        assertThat(listed.path("more").asBoolean()).isFalse();
        JsonNode job = json(run("status", "-o", "json")).path("jobs").findParents("job").stream()
                .filter(each -> each.path("job").asText().equals("fields"))
                .findFirst()
                .orElseThrow();
        assertThat(job.path("realized").asInt()).isEqualTo(1);
        assertThat(job.path("failed").asInt()).isEqualTo(1);
        assertThat(json(run("workers", "-o", "json")).path("workers").findValuesAsText("seat"))
                .containsExactly("orders-w-0", "orders-w-1");
        JsonNode result = json(run("objects", "--job", "fields", "-o", "json"))
                .path("results")
                .path(0);
        assertThat(result.path("future").asText()).isEqualTo(large.id().toString());
        assertThat(result.path("holders").path(0).asText()).startsWith("orders-w-");
        assertThat(run("workers", "-o", "toml").err()).contains("[text, json, yaml]");
    }

    @Test
    void watchingTellsWhatIsNewAndWhatHasChanged() throws Exception {
        DurableFuture<Integer> first = running(ratchet.submit(SubmitOptions.ofJob("watched"), CliTasks.never()));
        StringWriter out = new StringWriter();
        Thread watch = Thread.ofVirtual()
                .start(() -> RatchetCommand.commandLine(RatchetCommand.partsWith(ToCluster::new))
                        .setOut(new PrintWriter(out))
                        .setErr(new PrintWriter(new StringWriter()))
                        .execute("futures", "list", "--job", "watched", "--watch", "-o", "json"));
        awaitLine(out, "ADDED", first.id(), "CLAIMED");

        assertThat(run("futures", "cancel", first.id().toString()).code()).isZero();
        awaitLine(out, "MODIFIED", first.id(), "CANCELLED");
        assertThat(run("futures", "delete", first.id().toString()).code()).isZero();
        awaitLine(out, "DELETED", first.id(), "CANCELLED");
        watch.interrupt();
        watch.join(LIMIT);
        assertThat(watch.isAlive()).as("goes on after it was interrupted").isFalse();
    }

    private static void awaitLine(StringWriter out, String event, FutureId id, String state) {
        Awaitility.await().alias(event).atMost(LIMIT).until(() -> out.toString()
                .lines()
                .map(FuturesCommandsTest::tree)
                .anyMatch(line -> line.path("event").asText().equals(event)
                        && line.path("future").path("id").asText().equals(id.toString())
                        && line.path("future").path("state").asText().equals(state)));
    }

    private static JsonNode json(Said said) {
        assertThat(said.code()).as(said.err()).isZero();
        return tree(String.join("\n", said.out()));
    }

    private static JsonNode tree(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (JsonProcessingException notJson) {
            throw new AssertionError(text, notJson);
        }
    }

    private <T> DurableFuture<T> done(DurableFuture<T> future) {
        Awaitility.await().atMost(LIMIT).until(future::isDone);
        return future;
    }

    private <T> DurableFuture<T> running(DurableFuture<T> future) {
        future.submitted().toCompletableFuture().join();
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> cluster.record(future.id()).getState().name().endsWith("CLAIMED"));
        return future;
    }

    private Said run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = RatchetCommand.commandLine(RatchetCommand.partsWith(ToCluster::new))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
        return new Said(code, out.toString().lines().toList(), err.toString().strip());
    }

    /** Whatever the options say, it leads to the cluster of the tests. */
    private final class ToCluster extends ContextConnection {
        @Override
        GatewayConnection open(Environment environment) {
            return cluster.connection();
        }
    }
}
