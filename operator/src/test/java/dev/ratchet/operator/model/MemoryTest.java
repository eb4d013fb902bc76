/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.ContainerResources;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a process may take in all stays within the memory limit of its container. */
class MemoryTest {
    private static final long MIB = 1L << 20;
    /** What a worker was seen to take beside its heap and its object store, with a circuit running. */
    private static final long MEASURED_MIB = 120;

    private static final String FORMER = "-Xmx288m -XX:MaxDirectMemorySize=176m";

    @ParameterizedTest
    @ValueSource(strings = {"384Mi", "512Mi", "768Mi", "1Gi", "4Gi", "64Gi"})
    void heapObjectStoreAndTheJvmItselfFitIntoTheLimit(String limit) {
        ComputeClusterSpec spec = new ComputeClusterSpec();
        spec.workers.resources.limits.put("memory", new Quantity(limit));
        long worker = heapMib(Memory.workerJavaOptions(spec)) + Memory.objectStoreBytes(spec) / MIB;
        assertThat(worker + MEASURED_MIB).as("of a worker").isLessThan(Memory.bytes(new Quantity(limit)) / MIB);

        ContainerResources resources = new ContainerResources();
        resources.limits.put("memory", new Quantity(limit));
        long store = heapMib(Memory.storeJavaOptions(resources));
        assertThat(store + MEASURED_MIB).as("of the store").isLessThan(Memory.bytes(new Quantity(limit)) / MIB);
    }

    @Test
    void aReleaseThatDividesTheMemoryInAnotherWayIsTakenInPlace() {
        ComputeClusterSpec spec = new ComputeClusterSpec();
        spec.workers.resources.limits.put("memory", new Quantity("512Mi"));
        String derived = Memory.workerJavaOptions(spec);
        assertThat(derived).isNotEqualTo(FORMER);
        assertThat(InPlaceChange.between(template("one", FORMER), template("two", derived))
                        .others())
                .isEmpty();
    }

    @Test
    void optionsThatAUserHasChosenAreNotLeftAsTheyWere() {
        assertThat(InPlaceChange.between(template("one", FORMER), template("two", "-Xmx200m"))
                        .others())
                .containsExactly("spec.containers[worker].env[RATCHET_JAVA_OPTIONS]");
        assertThat(InPlaceChange.between(template("one", "-Xmx200m"), template("two", "-Xmx300m"))
                        .others())
                .containsExactly("spec.containers[worker].env[RATCHET_JAVA_OPTIONS].value");
    }

    private static long heapMib(String options) {
        return Long.parseLong(options.substring("-Xmx".length(), options.indexOf("m ")));
    }

    private static PodTemplateSpec template(String image, String javaOptions) {
        return new PodTemplateSpecBuilder()
                .withNewSpec()
                .addNewContainer()
                .withName("worker")
                .withImage(image)
                .addToEnv(variable("RATCHET_OBJECT_STORE_MEMORY_BYTES", Long.toString(128 * MIB)))
                .addToEnv(variable("RATCHET_JAVA_OPTIONS", javaOptions))
                .withNewResources()
                .addToLimits("memory", new Quantity("512Mi"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    private static EnvVar variable(String name, String value) {
        return new EnvVarBuilder().withName(name).withValue(value).build();
    }
}
