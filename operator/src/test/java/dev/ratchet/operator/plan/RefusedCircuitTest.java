/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static dev.ratchet.operator.plan.CircuitSpecs.circuit;
import static dev.ratchet.operator.plan.CircuitSpecs.clock;
import static dev.ratchet.operator.plan.CircuitSpecs.files;
import static dev.ratchet.operator.plan.CircuitSpecs.filesOutput;
import static dev.ratchet.operator.plan.CircuitSpecs.mounting;
import static dev.ratchet.operator.plan.CircuitSpecs.nexmark;
import static dev.ratchet.operator.plan.CircuitSpecs.ofClass;
import static dev.ratchet.operator.plan.CircuitSpecs.output;
import static dev.ratchet.operator.plan.CircuitSpecs.workerMount;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.cluster.CircuitInput;
import dev.ratchet.crds.cluster.CircuitOutput;
import dev.ratchet.crds.cluster.CircuitType;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.ConnectorType;
import dev.ratchet.crds.cluster.FilesOutput;
import dev.ratchet.crds.cluster.KafkaInput;
import dev.ratchet.crds.cluster.KafkaOutput;
import dev.ratchet.crds.cluster.NexmarkInput;
import dev.ratchet.crds.cluster.StorageSpec;
import dev.ratchet.operator.world.World;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which circuits are refused at the door, and in which words. */
class RefusedCircuitTest {
    private final World world = new World();

    @BeforeEach
    void threeWorkersWithVolumes() {
        world.edit(spec -> {
            spec.workers.replicas = 3;
            spec.workers.storage = new StorageSpec();
        });
    }

    static Stream<Arguments> badPrograms() {
        return Stream.of(
                bad("spec.circuit.class must be set and sql must not", spec -> {
                    spec.circuit.type = CircuitType.CLASS;
                    spec.circuit.classProgram = ofClass();
                }),
                bad("class.artifact is 'sha256:1' and must be sha256: and the 64 digits", spec -> {
                    ofClass(spec.circuit);
                    spec.circuit.classProgram.artifact = "sha256:1";
                }),
                bad("class.className is 'com.acme.' and must be the full name", spec -> {
                    ofClass(spec.circuit);
                    spec.circuit.classProgram.className = "com.acme.";
                }),
                bad("checkpoint.location", spec -> spec.circuit.checkpoint.location = "s3://b/c"),
                bad("retainedVersions is 1", spec -> spec.circuit.checkpoint.retainedVersions = 1),
                bad("intervalMillis is 5", spec -> spec.circuit.checkpoint.intervalMillis = 5),
                bad("on 1 to 64 workers", spec -> spec.workers.replicas = 65),
                bad("on 1 to 64 workers", spec -> spec.workers.replicas = 0));
    }

    static Stream<Arguments> badInputs() {
        return Stream.of(
                bad("inputs[orders]: this release has no Kafka; leave it out", spec -> {
                    CircuitInput input = new CircuitInput();
                    input.name = "orders";
                    input.type = ConnectorType.KAFKA;
                    input.kafka = new KafkaInput();
                    spec.circuit.inputs = List.of(input);
                }),
                bad("outputs[v]: this release has no Kafka; use type Http or Files", spec -> {
                    CircuitOutput output = new CircuitOutput();
                    output.name = "v";
                    output.kafka = new KafkaOutput();
                    spec.circuit.outputs = List.of(output);
                }),
                bad("inputs[ticks].clock.intervalMillis is 5 and", spec -> spec.circuit.inputs = List.of(clock(5))),
                bad(
                        "inputs[ticks]: the name is there twice",
                        spec -> spec.circuit.inputs = List.of(clock(10), clock(10))),
                bad("inputs[ticks].clock must be set if the type is Clock", spec -> {
                    spec.circuit.inputs = List.of(clock(10));
                    spec.circuit.inputs.get(0).clock = null;
                }),
                bad("inputs[ticks].nexmark must not be set if the type is Clock", spec -> {
                    spec.circuit.inputs = List.of(clock(10));
                    spec.circuit.inputs.get(0).nexmark = new NexmarkInput();
                }),
                bad(
                        "inputs[events].nexmark.eventsPerSecond is 0 and",
                        spec -> spec.circuit.inputs = List.of(nexmark(0))),
                bad("inputs[orders].files.folder is '/etc/ratchet/tls' and must lie in a volume that", spec -> {
                    spec.circuit.inputs = List.of(files("/etc/ratchet/tls"));
                    spec.workers.podTemplate = mounting("/mnt/orders");
                }),
                bad("inputs[orders].files.folder is '/mnt/orders/../x' and must lie in", spec -> {
                    spec.circuit.inputs = List.of(files("/mnt/orders/../x"));
                    spec.workers.podTemplate = mounting("/mnt/orders");
                }),
                bad(
                        "inputs[orders].files.folder is '/mnt/orders' and must lie in a volume",
                        spec -> spec.circuit.inputs = List.of(files("/mnt/orders"))));
    }

    static Stream<Arguments> badOutputs() {
        return Stream.of(
                bad("retainedSteps is 0", spec -> spec.circuit.outputs = List.of(output("v", 0))),
                bad("is there twice", spec -> spec.circuit.outputs = List.of(output("v", 1), output("v", 2))),
                bad("outputs[v].http must be set if the type is Http", spec -> {
                    spec.circuit.outputs = List.of(output("v", 1));
                    spec.circuit.outputs.get(0).http = null;
                }),
                bad("outputs[v].files must not be set if the type is Http", spec -> {
                    spec.circuit.outputs = List.of(output("v", 1));
                    spec.circuit.outputs.get(0).files = new FilesOutput();
                }),
                bad(
                        "outputs[../v].name must be at most 63 letters",
                        spec -> spec.circuit.outputs = List.of(output("../v", 1))),
                bad("outputs[w].view: the view v has an output of type Http already", spec -> {
                    spec.circuit.outputs = List.of(output("v", 1), output("w", 1));
                    spec.circuit.outputs.get(1).view = "v";
                }),
                bad("outputs[v].key: the column Name is there twice", spec -> {
                    spec.circuit.outputs = List.of(output("v", 1));
                    spec.circuit.outputs.get(0).key = List.of("name", "Name");
                }),
                bad("outputs[v].key has a blank name", spec -> {
                    spec.circuit.outputs = List.of(output("v", 1));
                    spec.circuit.outputs.get(0).key = List.of(" ");
                }),
                bad("outputs[t].key is [n], and another output of the view TOTALS has [name]", spec -> {
                    spec.circuit.outputs = List.of(output("Totals", 1), filesOutput("/mnt/out"));
                    spec.circuit.outputs.get(0).key = List.of("name");
                    spec.circuit.outputs.get(1).view = "TOTALS";
                    spec.circuit.outputs.get(1).key = List.of("n");
                    spec.workers.podTemplate = mounting("/mnt/out");
                }),
                bad("outputs[t].files.folder is '/etc/ratchet/tls' and must lie in a volume that", spec -> {
                    spec.circuit.outputs = List.of(filesOutput("/etc/ratchet/tls"));
                    spec.workers.podTemplate = mounting("/mnt/out");
                }),
                bad("outputs[t].files.folder is '/mnt/out/t', which is mounted readOnly", spec -> {
                    spec.circuit.outputs = List.of(filesOutput("/mnt/out/t"));
                    spec.workers.podTemplate = mounting("/mnt/out");
                    workerMount(spec).setReadOnly(true);
                }),
                bad("which the other workers do not see; name a volume that all workers share", spec -> {
                    spec.circuit.outputs = List.of(filesOutput("/mnt/out"));
                    spec.workers.podTemplate = mounting("/mnt/out");
                    spec.workers
                            .podTemplate
                            .getSpec()
                            .setVolumes(List.of(new VolumeBuilder()
                                    .withName(workerMount(spec).getName())
                                    .withNewEmptyDir()
                                    .endEmptyDir()
                                    .build()));
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"badPrograms", "badInputs", "badOutputs"})
    void aCircuitThatThisReleaseCanNotRunIsRefusedWithWhatItCan(String words, Consumer<ComputeClusterSpec> change) {
        world.edit(spec -> spec.circuit = circuit());
        world.edit(change);
        assertThat(world.plan().acceptance().message()).contains(words);
        assertThat(world.plan().acceptance().isAccepted()).isFalse();
    }

    private static Arguments bad(String words, Consumer<ComputeClusterSpec> change) {
        return Arguments.of(words, change);
    }
}
