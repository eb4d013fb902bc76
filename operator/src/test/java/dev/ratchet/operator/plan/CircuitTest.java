/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static dev.ratchet.operator.plan.CircuitSpecs.circuit;
import static dev.ratchet.operator.plan.CircuitSpecs.clock;
import static dev.ratchet.operator.plan.CircuitSpecs.files;
import static dev.ratchet.operator.plan.CircuitSpecs.filesOutput;
import static dev.ratchet.operator.plan.CircuitSpecs.key;
import static dev.ratchet.operator.plan.CircuitSpecs.mounting;
import static dev.ratchet.operator.plan.CircuitSpecs.nexmark;
import static dev.ratchet.operator.plan.CircuitSpecs.ofClass;
import static dev.ratchet.operator.plan.CircuitSpecs.output;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.crds.ConditionType;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.CircuitHttp;
import dev.ratchet.crds.cluster.CircuitType;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.ComputeClusterStatus;
import dev.ratchet.crds.cluster.StorageSpec;
import dev.ratchet.crds.cluster.UpgradeStrategy;
import dev.ratchet.operator.world.World;
import dev.ratchet.protocol.coordinator.v1.CircuitReport;
import dev.ratchet.protocol.coordinator.v1.CircuitState;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A circuit from its spec to what workers and people read of it. */
class CircuitTest {
    private static final String PROGRAM = "CREATE TABLE orders (id INT); CREATE VIEW v AS SELECT id FROM orders;";

    private final World world = new World();

    @BeforeEach
    void threeWorkersWithVolumesAndAProgram() {
        program(PROGRAM);
        world.edit(spec -> {
            spec.workers.replicas = 3;
            spec.workers.storage = new StorageSpec();
        });
    }

    @Test
    void workersReadTheProgramAndItsSettingsFromTheirFirstConfigurationOn() {
        world.edit(spec -> {
            spec.circuit = circuit();
            spec.circuit.outputs = List.of(output("v", 7));
            spec.workers.threads = 2;
        });
        world.reconcile();
        assertThat(told().toString())
                .isEqualTo("{\"name\":\"totals\",\"program\":\"" + PROGRAM + "\",\"suspended\":false,\"threads\":2,"
                        + "\"checkpointIntervalMillis\":10000,\"retainedVersions\":3,\"onError\":\"Collect\","
                        + "\"retainedSteps\":{\"v\":7},\"decision\":\"\",\"inputs\":[]}");
        world.settle();
        Service service = world.api.all(Service.class).get("orders-circuit");
        assertThat(service.getSpec().getPorts().getFirst().getPort()).isEqualTo(7404);
        assertThat(service.getSpec().getSelector()).containsEntry("ratchet.dev/component", "worker");
        assertThat(world.writeStatus().endpoints.circuit).isEqualTo("orders-circuit.team-a.svc:7404");
        assertThat(connection().path("circuitEndpoints").path(0).asText()).isEqualTo("orders-circuit.team-a.svc:7404");
        assertThat(connection().path("circuitEndpoints").path(1).asText())
                .isEqualTo(service.getSpec().getClusterIP() + ":7404");
        NetworkPolicy policy = world.api.all(NetworkPolicy.class).get("orders");
        assertThat(policy.getSpec().getIngress())
                .filteredOn(rule -> rule.getPorts().stream()
                        .anyMatch(port -> port.getPort().getIntVal().equals(7403)))
                .allSatisfy(rule -> assertThat(rule.getFrom()).isNotEmpty());
    }

    @Test
    void aCircuitIsAddedAndSettingsAreChangedWithoutOtherPods() {
        world.settle();
        Map<String, String> before = uids();
        world.edit(spec -> spec.circuit = circuit());
        world.settle();
        assertThat(told().path("program").asText()).isEqualTo(PROGRAM);
        world.edit(spec -> {
            spec.circuit.suspended = true;
            spec.circuit.checkpoint.intervalMillis = 500;
            spec.circuit.outputs = List.of(output("v", 10));
            spec.circuit.inputs = List.of(clock(250), nexmark(9));
        });
        world.cluster.getMetadata().setAnnotations(Map.of(Names.CIRCUIT_DECISION_ANNOTATION, "retry 7"));
        world.settle();
        assertThat(world.plan().acceptance().message()).isEmpty();
        assertThat(told().path("suspended").asBoolean()).isTrue();
        assertThat(told().path("checkpointIntervalMillis").asLong()).isEqualTo(500);
        assertThat(told().path("retainedSteps").path("v").asInt()).isEqualTo(10);
        assertThat(told().path("inputs"))
                .hasToString("[{\"name\":\"ticks\",\"type\":\"Clock\",\"intervalMillis\":250},"
                        + "{\"name\":\"events\",\"type\":\"Nexmark\",\"eventsPerSecond\":9,\"seed\":0,\"events\":0}]");
        assertThat(told().path("decision").asText()).isEqualTo("retry 7");
        world.edit(spec -> spec.circuit = null);
        world.settle();
        assertThat(told().isMissingNode()).isTrue();
        assertThat(world.api.all(Service.class)).doesNotContainKey("orders-circuit");
        assertThat(world.condition(ConditionType.CIRCUIT_RUNNING)).isEmpty();
        assertThat(uids()).isEqualTo(before);
    }

    @Test
    void aCircuitStartsOnlyOnceTheWantedWorkersAreInForce() {
        world.settle();
        world.hold("orders-w-2", 1000);
        world.edit(spec -> spec.workers.replicas = 2);
        world.reconcile();
        world.edit(spec -> spec.circuit = circuit());
        assertThat(world.condition(ConditionType.CIRCUIT_RUNNING)).isEqualTo("False WaitingForLayout");
        world.settle();
        assertThat(told().path("name").asText()).isEqualTo("totals");
        assertThat(world.condition(ConditionType.CIRCUIT_RUNNING)).isEqualTo("False Starting");
    }

    @Test
    void filesAreReadFromAVolumeThatThePodTemplateMounts() {
        world.edit(spec -> {
            spec.circuit = circuit();
            spec.circuit.inputs = List.of(files("/mnt/orders/new"));
            spec.workers.podTemplate = mounting("/mnt/orders");
        });
        world.settle();
        assertThat(world.plan().acceptance().message()).isEmpty();
        assertThat(told().path("inputs"))
                .hasToString("[{\"name\":\"orders\",\"type\":\"Files\",\"folder\":\"/mnt/orders/new\","
                        + "\"periodMillis\":1000}]");
    }

    @Test
    void workersAreToldOfAClassInPlaceOfATextAndBackWithoutOtherPods() {
        world.edit(spec -> spec.circuit = circuit());
        world.settle();
        Map<String, String> before = uids();
        world.edit(spec -> ofClass(spec.circuit));
        world.settle();
        assertThat(world.plan().acceptance().message()).isEmpty();
        assertThat(told().path("program").isMissingNode()).isTrue();
        assertThat(told().path("class"))
                .hasToString("{\"artifact\":\"" + ofClass().artifact + "\",\"className\":\"com.acme.Totals\"}");
        world.edit(spec -> {
            spec.circuit.type = CircuitType.SQL;
            spec.circuit.sql = circuit().sql;
            spec.circuit.classProgram = null;
        });
        world.settle();
        assertThat(told().path("program").asText()).isEqualTo(PROGRAM);
        assertThat(uids()).isEqualTo(before);
    }

    @Test
    void workersAreToldOfAnOutputThatIsFilesWithItsView() {
        world.edit(spec -> {
            spec.circuit = circuit();
            spec.circuit.outputs = List.of(filesOutput("/mnt/out/totals"));
            spec.circuit.outputs.get(0).key = List.of("name", "day");
            spec.workers.podTemplate = mounting("/mnt/out");
        });
        world.settle();
        assertThat(world.plan().acceptance().message()).isEmpty();
        assertThat(told().path("outputKeys")).hasToString("{\"totals\":[\"name\",\"day\"]}");
        assertThat(told().path("outputs"))
                .hasToString("[{\"name\":\"t\",\"type\":\"Files\",\"view\":\"totals\","
                        + "\"folder\":\"/mnt/out/totals\",\"format\":\"Ndjson\"}]");
    }

    static Stream<Arguments> editsThatMoveState() {
        return Stream.of(
                bad("spec.workers.replicas can not be changed while there is", spec -> spec.workers.replicas = 4),
                bad("spec.workers.threads can not be changed while there is", spec -> spec.workers.threads = 4),
                bad("spec.image can not be changed: it replaces the workers", spec -> spec.image = "other/worker:1"),
                bad("spec.circuit.http can not be changed: it replaces the workers", spec -> {
                    spec.circuit.http = new CircuitHttp();
                    spec.circuit.http.tokenSecretRef = key("totals-token", "token");
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("editsThatMoveState")
    void anEditThatWouldMoveStateIsRefusedAndWhatRunsStays(String words, Consumer<ComputeClusterSpec> change) {
        world.edit(spec -> spec.circuit = circuit());
        world.settle();
        Map<String, String> before = uids();
        JsonNode toldBefore = told();
        world.edit(change);
        world.settle();
        assertThat(world.condition(ConditionType.ACCEPTED)).isEqualTo("False NotSupported");
        assertThat(world.plan().acceptance().message()).contains(words);
        assertThat(uids()).isEqualTo(before);
        assertThat(told()).isEqualTo(toldBefore);
        world.edit(spec -> spec.circuit = null);
        assertThat(world.plan().acceptance().message())
                .as("after the circuit was removed")
                .isEmpty();
    }

    @Test
    void aProgramThatIsNotThereIsToldAndTheLastOneStays() {
        world.programs.clear();
        world.edit(spec -> spec.circuit = circuit());
        world.settle();
        assertThat(told().isMissingNode()).isTrue();
        assertThat(world.condition(ConditionType.CIRCUIT_RUNNING)).isEqualTo("False ProgramMissing");
        assertThat(message(ConditionType.DEGRADED)).contains("ConfigMap totals, key program.sql,", "create it");
        program("");
        assertThat(message(ConditionType.DEGRADED)).contains("has no program under that key");
        program("x".repeat(CircuitPlanner.PROGRAM_BYTES_MAX + 1));
        assertThat(message(ConditionType.DEGRADED)).contains("262145 bytes");
        program(PROGRAM);
        world.settle();
        assertThat(told().path("program").asText()).isEqualTo(PROGRAM);
        world.programs.clear();
        world.settle();
        assertThat(told().path("program").asText()).isEqualTo(PROGRAM);
        assertThat(world.condition(ConditionType.DEGRADED)).isEqualTo("True ProgramMissing");
    }

    @Test
    void anEditOfTheProgramReachesTheWorkersWhichJudgeIt() {
        world.edit(spec -> spec.circuit = circuit());
        world.settle();
        program("CREATE TABLE other (id INT);");
        world.settle();
        assertThat(told().path("program").asText()).isEqualTo("CREATE TABLE other (id INT);");
        world.coordinator.circuit = Optional.of(CircuitReport.newBuilder()
                .setState(CircuitState.CIRCUIT_STATE_RUNNING)
                .setMessage("The program differs")
                .build());
        assertThat(world.condition(ConditionType.CIRCUIT_RUNNING)).isEqualTo("True Running");
        assertThat(message(ConditionType.CIRCUIT_RUNNING)).isEqualTo("The program differs");
    }

    @Test
    void anUpgradeInPlaceIsNoReasonToRefuse() {
        world.edit(spec -> {
            spec.circuit = circuit();
            spec.upgrade.strategy = UpgradeStrategy.IN_PLACE;
        });
        world.settle();
        world.edit(spec -> spec.image = "other/worker:1");
        assertThat(world.plan().acceptance().message()).isEmpty();
    }

    @Test
    void whatTheCoordinatorSaysIsInStatusAndConditions() {
        world.edit(spec -> spec.circuit = circuit());
        world.settle();
        world.coordinator.circuit = Optional.of(CircuitReport.newBuilder()
                .setState(CircuitState.CIRCUIT_STATE_RUNNING)
                .setStep(12)
                .setVersion(3)
                .setVersionStep(10)
                .setProgramDigest("5d1a")
                .putReceivedRows("orders", 100)
                .putReceivedRowsPerSecond("orders", 20)
                .putViewRows("v", 7)
                .putLagRows("orders", 30)
                .putLagRows("returns", 5)
                .putLagSteps("v", 2)
                .putLagSteps("w", 4)
                .setPendingBytes(64)
                .setErrorRows(1)
                .build());
        ComputeClusterStatus status = world.writeStatus();
        assertThat(status.circuit).isNotNull();
        assertThat(status.circuit)
                .hasToString("{\"state\":\"Running\",\"step\":12,\"version\":3,\"programDigest\":\"5d1a\","
                        + "\"inputs\":[{\"name\":\"orders\",\"rows\":100,\"rowsPerSecond\":20,\"lagRows\":30},"
                        + "{\"name\":\"returns\",\"rows\":0,\"rowsPerSecond\":0,\"lagRows\":5}],\"lagRows\":35,"
                        + "\"pendingBytes\":64,"
                        + "\"outputs\":[{\"name\":\"v\",\"rows\":7,\"rowsPerSecond\":0,\"lagSteps\":2},"
                        + "{\"name\":\"w\",\"rows\":0,\"rowsPerSecond\":0,\"lagSteps\":4}],\"lagSteps\":4,"
                        + "\"errorRows\":1}");
        String seen = String.valueOf(status.checkpoint);
        assertThat(seen).contains("\"version\":3", "\"step\":10");
        assertThat(world.condition(ConditionType.CIRCUIT_RUNNING)).isEqualTo("True Running");
        world.pass(Duration.ofSeconds(30));
        assertThat(String.valueOf(world.writeStatus().checkpoint))
                .as("while the version stays")
                .isEqualTo(seen);
        world.coordinatorHeard = false;
        assertThat(world.condition(ConditionType.CIRCUIT_RUNNING)).isEqualTo("Unknown CoordinatorUnreachable");
        assertThat(world.writeStatus().circuit).as("what was heard last").isNotNull();
        world.coordinatorHeard = true;
        report(CircuitState.CIRCUIT_STATE_STOPPED);
        assertThat(world.condition(ConditionType.CIRCUIT_RUNNING)).isEqualTo("False Stopped");
        assertThat(message(ConditionType.CIRCUIT_RUNNING)).contains("as was said", Names.CIRCUIT_DECISION_ANNOTATION);
    }

    @Test
    void stateThatGoesWithItsPodIsTold() {
        world.edit(spec -> spec.circuit = circuit());
        world.settle();
        assertThat(world.condition(ConditionType.STATE_NOT_DURABLE)).isEqualTo("False Durable");
        World other = new World();
        other.programs.putAll(world.programs);
        other.edit(spec -> spec.circuit = circuit());
        other.settle();
        assertThat(other.condition(ConditionType.STATE_NOT_DURABLE)).isEqualTo("True NoVolumes");
    }

    @Test
    void aTokenIsMountedWhereOneIsNamedAndItsSecretMayBeMissing() {
        world.edit(spec -> {
            spec.circuit = circuit();
            spec.circuit.http = new CircuitHttp();
            spec.circuit.http.tokenSecretRef = key("totals-token", "token");
        });
        world.settle();
        Pod pod = world.pods().get("orders-w-0");
        assertThat(pod.getSpec().getVolumes())
                .filteredOn(volume -> volume.getName().equals("circuit-token"))
                .singleElement()
                .satisfies(volume -> {
                    assertThat(volume.getSecret().getSecretName()).isEqualTo("totals-token");
                    assertThat(volume.getSecret().getOptional()).isTrue();
                });
        assertThat(pod.getSpec().getContainers().getFirst().getEnv())
                .extracting(EnvVar::getName)
                .contains("RATCHET_CIRCUIT_TOKEN_FILE");
    }

    private void report(CircuitState state) {
        world.coordinator.circuit = Optional.of(CircuitReport.newBuilder()
                .setState(state)
                .setMessage("as was said")
                .build());
    }

    private void program(String text) {
        world.programs.put(
                "totals",
                new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("totals")
                        .withNamespace("team-a")
                        .endMetadata()
                        .addToData("program.sql", text)
                        .build());
    }

    private static Arguments bad(String words, Consumer<ComputeClusterSpec> change) {
        return Arguments.of(words, change);
    }

    private JsonNode told() {
        return json(world.api
                        .all(ConfigMap.class)
                        .get("orders-config")
                        .getData()
                        .get("cluster.json"))
                .path("circuit");
    }

    private JsonNode connection() {
        String encoded = world.secrets().get("orders-client").getData().get("connection");
        return json(new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8));
    }

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (IOException e) {
            throw new AssertionError(text, e);
        }
    }

    private String message(String type) {
        return world.writeStatus().conditions.stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst()
                .orElseThrow()
                .getMessage();
    }

    private Map<String, String> uids() {
        Map<String, String> uids = new TreeMap<>();
        world.workerPods()
                .forEach((name, pod) -> uids.put(name, pod.getMetadata().getUid()));
        return uids;
    }
}
