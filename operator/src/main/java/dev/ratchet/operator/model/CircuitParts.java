/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.KeyReference;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.List;
import java.util.Optional;

/**
 * Owns what a circuit adds to worker pods: the bearer token, where one is named. It is optional to the kubelet, so that
 * a Secret that is gone takes the token away and not the workers.
 */
final class CircuitParts {
    private static final String VOLUME = "circuit-token";
    private static final String DIRECTORY = "/etc/ratchet/circuit-token";
    private static final String FILE = "token";

    private CircuitParts() {}

    static List<Volume> volumes(ComputeClusterSpec spec) {
        return token(spec)
                .map(token -> new VolumeBuilder()
                        .withName(VOLUME)
                        .withNewSecret()
                        .withSecretName(token.name)
                        .withOptional(true)
                        .addNewItem()
                        .withKey(token.key)
                        .withPath(FILE)
                        .endItem()
                        .endSecret()
                        .build())
                .stream()
                .toList();
    }

    static List<VolumeMount> mounts(ComputeClusterSpec spec) {
        return token(spec).map(token -> PodParts.mount(VOLUME, DIRECTORY, true)).stream()
                .toList();
    }

    static List<EnvVar> variables(ComputeClusterSpec spec) {
        return token(spec)
                .map(token -> PodParts.variable("RATCHET_CIRCUIT_TOKEN_FILE", DIRECTORY + "/" + FILE))
                .stream()
                .toList();
    }

    private static Optional<KeyReference> token(ComputeClusterSpec spec) {
        return Optional.ofNullable(spec.circuit)
                .flatMap(circuit -> Optional.ofNullable(circuit.http))
                .flatMap(http -> Optional.ofNullable(http.tokenSecretRef));
    }
}
