/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.CircuitInput;
import dev.ratchet.crds.cluster.CircuitOutput;
import dev.ratchet.crds.cluster.CircuitSpec;
import dev.ratchet.crds.cluster.CircuitType;
import dev.ratchet.crds.cluster.ClassProgramSpec;
import dev.ratchet.crds.cluster.ClockInput;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.ConnectorType;
import dev.ratchet.crds.cluster.FilesInput;
import dev.ratchet.crds.cluster.FilesOutput;
import dev.ratchet.crds.cluster.HttpOutput;
import dev.ratchet.crds.cluster.KeyReference;
import dev.ratchet.crds.cluster.NexmarkInput;
import dev.ratchet.crds.cluster.OutputType;
import dev.ratchet.crds.cluster.SqlProgramSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;

/** Parts of {@code spec.circuit} for tests, each of them valid. */
final class CircuitSpecs {

    private CircuitSpecs() {}

    static CircuitSpec circuit() {
        CircuitSpec circuit = new CircuitSpec();
        circuit.name = "totals";
        circuit.sql = new SqlProgramSpec();
        circuit.sql.configMapKeyRef = key("totals", "program.sql");
        return circuit;
    }

    static KeyReference key(String name, String key) {
        KeyReference reference = new KeyReference();
        reference.name = name;
        reference.key = key;
        return reference;
    }

    static CircuitInput clock(long intervalMillis) {
        CircuitInput input = new CircuitInput();
        input.name = "ticks";
        input.type = ConnectorType.CLOCK;
        input.clock = new ClockInput();
        input.clock.intervalMillis = intervalMillis;
        return input;
    }

    static CircuitInput nexmark(long eventsPerSecond) {
        CircuitInput input = new CircuitInput();
        input.name = "events";
        input.type = ConnectorType.NEXMARK;
        input.nexmark = new NexmarkInput();
        input.nexmark.eventsPerSecond = eventsPerSecond;
        return input;
    }

    static CircuitInput files(String folder) {
        CircuitInput input = new CircuitInput();
        input.name = "orders";
        input.type = ConnectorType.FILES;
        input.files = new FilesInput();
        input.files.folder = folder;
        return input;
    }

    static CircuitOutput output(String name, int retainedSteps) {
        CircuitOutput output = new CircuitOutput();
        output.name = name;
        output.type = OutputType.HTTP;
        output.http = new HttpOutput();
        output.http.retainedSteps = retainedSteps;
        return output;
    }

    static CircuitOutput filesOutput(String folder) {
        CircuitOutput output = new CircuitOutput();
        output.name = "t";
        output.view = "totals";
        output.type = OutputType.FILES;
        output.files = new FilesOutput();
        output.files.folder = folder;
        return output;
    }

    static PodTemplateSpec mounting(String path) {
        return new PodTemplateSpecBuilder()
                .withNewSpec()
                .addNewContainer()
                .withName(Names.WORKER_CONTAINER)
                .addNewVolumeMount()
                .withName("orders")
                .withMountPath(path)
                .endVolumeMount()
                .endContainer()
                .addNewVolume()
                .withName("orders")
                .withNewPersistentVolumeClaim("orders", true)
                .endVolume()
                .endSpec()
                .build();
    }

    static VolumeMount workerMount(ComputeClusterSpec spec) {
        return spec.workers.podTemplate.getSpec().getContainers().stream()
                .filter(container -> container.getName().equals("worker"))
                .findFirst()
                .orElseThrow()
                .getVolumeMounts()
                .get(0);
    }

    static void ofClass(CircuitSpec circuit) {
        circuit.type = CircuitType.CLASS;
        circuit.sql = null;
        circuit.classProgram = ofClass();
    }

    static ClassProgramSpec ofClass() {
        ClassProgramSpec program = new ClassProgramSpec();
        program.artifact = "sha256:" + "0a".repeat(32);
        program.className = "com.acme.Totals";
        return program;
    }
}
