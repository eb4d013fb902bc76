/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.ContainerResources;
import dev.ratchet.crds.cluster.StorageSpec;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Owns what worker and store pods share: the restricted security profile, the mounts, the probes, the downward
 * variables. Every value that an API server would default is left to it, because pods are created and deleted, never
 * compared.
 */
final class PodParts {
    static final String CONFIG_DIRECTORY = "/etc/ratchet/config";
    static final String TLS_DIRECTORY = "/etc/ratchet/tls";
    static final String DATA_DIRECTORY = "/var/lib/ratchet";
    static final String TEMP_DIRECTORY = "/tmp";

    /** Nobody in particular; any number but 0 would do, and it owns the data volume. */
    private static final long USER = 65532;

    private PodParts() {}

    static PodSecurityContext podSecurity(Settings settings) {
        PodSecurityContextBuilder security = new PodSecurityContextBuilder()
                .withRunAsNonRoot(true)
                .withFsGroupChangePolicy("OnRootMismatch")
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile();
        if (settings.pods().fixedUser()) {
            security.withRunAsUser(USER).withRunAsGroup(USER).withFsGroup(USER);
        }
        return security.build();
    }

    static List<LocalObjectReference> pullSecrets(Settings settings) {
        return settings.pods().pullSecrets().stream()
                .map(LocalObjectReference::new)
                .toList();
    }

    static SecurityContext containerSecurity() {
        return new SecurityContextBuilder()
                .withAllowPrivilegeEscalation(false)
                .withReadOnlyRootFilesystem(true)
                .withRunAsNonRoot(true)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .build();
    }

    static ResourceRequirements resources(ContainerResources wanted) {
        return new ResourceRequirementsBuilder()
                .withRequests(wanted.requests)
                .withLimits(wanted.limits)
                .build();
    }

    static List<VolumeMount> mounts() {
        return List.of(
                mount("config", CONFIG_DIRECTORY, true),
                mount("tls", TLS_DIRECTORY, true),
                mount("data", DATA_DIRECTORY, false),
                mount("temp", TEMP_DIRECTORY, false));
    }

    static VolumeMount mount(String volume, String path, boolean readOnly) {
        VolumeMountBuilder mount = new VolumeMountBuilder().withName(volume).withMountPath(path);
        return readOnly ? mount.withReadOnly(true).build() : mount.build();
    }

    static List<Volume> volumes(Target target, String pod, @Nullable StorageSpec storage) {
        List<Volume> volumes = new ArrayList<>();
        volumes.add(new VolumeBuilder()
                .withName("config")
                .withNewConfigMap()
                .withName(Names.config(target.name()))
                .endConfigMap()
                .build());
        volumes.addAll(seatVolumes(pod, storage));
        volumes.add(emptyDirectory("temp"));
        return volumes;
    }

    /** Those that no two pods share. */
    static List<Volume> seatVolumes(String pod, @Nullable StorageSpec storage) {
        VolumeBuilder data = new VolumeBuilder().withName("data");
        return List.of(
                new VolumeBuilder()
                        .withName("tls")
                        .withNewSecret()
                        .withSecretName(Names.podCertificate(pod))
                        .endSecret()
                        .build(),
                storage == null
                        ? data.withNewEmptyDir().endEmptyDir().build()
                        : data.withNewPersistentVolumeClaim()
                                .withClaimName(Names.claim(pod))
                                .endPersistentVolumeClaim()
                                .build());
    }

    static Volume emptyDirectory(String name) {
        return new VolumeBuilder()
                .withName(name)
                .withNewEmptyDir()
                .endEmptyDir()
                .build();
    }

    static List<EnvVar> commonVariables(Target target) {
        List<EnvVar> variables = new ArrayList<>();
        variables.add(fromField("RATCHET_SEAT", "metadata.name"));
        variables.add(fromField("RATCHET_NAMESPACE", "metadata.namespace"));
        variables.add(fromField("RATCHET_POD_UID", "metadata.uid"));
        variables.add(fromField("RATCHET_POD_IP", "status.podIP"));
        variables.add(fromField("RATCHET_HOST", "spec.nodeName"));
        variables.add(variable("RATCHET_CLUSTER", target.name()));
        variables.add(variable("RATCHET_CONFIG_DIR", CONFIG_DIRECTORY));
        variables.add(variable("RATCHET_TLS_DIR", TLS_DIRECTORY));
        variables.add(variable("RATCHET_DATA_DIR", DATA_DIRECTORY));
        variables.add(variable("RATCHET_TEMP_DIR", TEMP_DIRECTORY));
        variables.add(variable("RATCHET_TERMINATION_LOG", "/dev/termination-log"));
        PodSettings pods = target.settings().pods();
        if (!pods.logLevel().isEmpty()) {
            variables.add(variable("RATCHET_LOG_LEVEL", pods.logLevel()));
        }
        if (!pods.logFormat().isEmpty()) {
            variables.add(variable("RATCHET_LOG_FORMAT", pods.logFormat()));
        }
        return variables;
    }

    static EnvVar variable(String name, String value) {
        return new EnvVarBuilder().withName(name).withValue(value).build();
    }

    private static EnvVar fromField(String name, String path) {
        return new EnvVarBuilder()
                .withName(name)
                .withNewValueFrom()
                .withNewFieldRef()
                .withApiVersion("v1")
                .withFieldPath(path)
                .endFieldRef()
                .endValueFrom()
                .build();
    }

    /** Two minutes to start, on a busy machine with a cold disk. */
    static Probe startup() {
        return probe("/livez", 2, 60);
    }

    static Probe liveness() {
        return probe("/livez", 5, 3);
    }

    static Probe readiness() {
        return probe("/readyz", 2, 2);
    }

    private static Probe probe(String path, int periodSeconds, int failures) {
        return new ProbeBuilder()
                .withNewHttpGet()
                .withPath(path)
                .withNewPort(Ports.HEALTH)
                .endHttpGet()
                .withPeriodSeconds(periodSeconds)
                .withTimeoutSeconds(3)
                .withFailureThreshold(failures)
                .build();
    }
}
