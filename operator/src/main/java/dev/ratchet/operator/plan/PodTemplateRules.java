/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.EmbeddedStoreSpec;
import dev.ratchet.operator.model.Privilege;
import dev.ratchet.operator.plan.SpecRules.Problem;
import dev.ratchet.operator.status.Reason;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Owns what of a pod is ours alone, so that a template which touches it is refused and never half obeyed, and with it
 * everything else that makes a template unacceptable.
 */
final class PodTemplateRules {
    private static final Set<String> LABELS =
            Set.of("app.kubernetes.io/name", "app.kubernetes.io/instance", "app.kubernetes.io/managed-by");
    private static final Set<String> VOLUMES =
            Set.of("config", "tls", "data", "temp", "shared-memory", "fdb", "fdb-source", "fdb-tls", "circuit-token");
    private static final Set<String> MOUNTS = Set.of(
            "/etc/ratchet/config",
            "/etc/ratchet/tls",
            "/etc/ratchet/circuit-token",
            "/var/lib/ratchet",
            "/var/lib/ratchet-fdb",
            "/etc/ratchet/fdb-tls",
            "/tmp");
    private static final Set<String> INIT_CONTAINERS = Set.of("cluster-file", "client-library");
    /** What a process takes by a variable that no field sets. */
    private static final Set<String> OPEN_VARIABLES = Set.of(
            "RATCHET_JAVA_OPTIONS",
            "RATCHET_LEASE",
            "RATCHET_LOG_LEVEL",
            "RATCHET_CLIENT_LIMITS",
            "RATCHET_CHECK_PEER_ADDRESSES",
            "RATCHET_RESOURCES",
            "RATCHET_LABELS");

    private static final Set<String> PORT_NAMES = Set.of("grpc", "health", "exchange", "circuit");
    private static final Set<Integer> PORTS = Set.of(7400, 7401, 7402, 7403, 7404);

    private final String path;
    private final String container;
    private final List<Problem> problems = new ArrayList<>();

    private PodTemplateRules(String path, String container) {
        this.path = path;
        this.container = container;
    }

    /** What is wrong with the template of the workers, where {@code allowed} is what the administrator permits. */
    static List<Problem> worker(ComputeClusterSpec spec, Set<Privilege> allowed) {
        return of("spec.workers.podTemplate", Names.WORKER_CONTAINER, spec.workers.podTemplate, allowed);
    }

    /** As above, for the template of the embedded store. */
    static List<Problem> store(ComputeClusterSpec spec, Set<Privilege> allowed) {
        EmbeddedStoreSpec embedded = spec.store.embedded;
        return embedded == null
                ? List.of()
                : of("spec.store.embedded.podTemplate", Names.STORE_CONTAINER, embedded.podTemplate, allowed);
    }

    private static List<Problem> of(
            String path, String container, @Nullable PodTemplateSpec template, Set<Privilege> allowed) {
        PodTemplateRules rules = new PodTemplateRules(path, container);
        if (template != null) {
            UnknownFields.of(template).forEach(rules::unknown);
            rules.metadata(template.getMetadata());
            if (template.getSpec() != null) {
                rules.pod(template.getSpec());
            }
            rules.problems.addAll(PodPrivileges.of(path, template, allowed));
        }
        return rules.problems;
    }

    private void unknown(UnknownFields.Found found) {
        String parent = ("pod." + found.path()).replaceAll("\\[[0-9]+]", "").replaceAll("\\.[^.]*$", "");
        problems.add(new Problem(
                Reason.INVALID_SPEC,
                path + "." + found.path() + " " + found.what() + "; look at kubectl explain " + parent));
    }

    private void metadata(@Nullable ObjectMeta metadata) {
        if (metadata == null) {
            return;
        }
        keys("labels", metadata.getLabels());
        keys("annotations", metadata.getAnnotations());
    }

    private void keys(String what, @Nullable Map<String, String> entries) {
        if (entries != null) {
            entries.keySet().stream()
                    .filter(key -> LABELS.contains(key) || key.startsWith("ratchet.dev/"))
                    .sorted()
                    .forEach(key -> reserved("metadata." + what + "." + key));
        }
    }

    private void pod(PodSpec pod) {
        reservedIf(pod.getRestartPolicy() != null && !pod.getRestartPolicy().equals("Always"), "spec.restartPolicy");
        reservedIf(pod.getHostname() != null, "spec.hostname");
        reservedIf(pod.getSubdomain() != null, "spec.subdomain");
        reservedIf(pod.getNodeName() != null, "spec.nodeName");
        reservedIf(pod.getTerminationGracePeriodSeconds() != null, "spec.terminationGracePeriodSeconds");
        reservedIf(Boolean.TRUE.equals(pod.getEnableServiceLinks()), "spec.enableServiceLinks");
        pod.getVolumes().stream()
                .filter(volume -> VOLUMES.contains(volume.getName()))
                .forEach(volume -> reserved("spec.volumes[" + volume.getName() + "]"));
        pod.getInitContainers().stream()
                .filter(init -> INIT_CONTAINERS.contains(init.getName()))
                .forEach(init -> reserved("spec.initContainers[" + init.getName() + "]"));
        pod.getContainers().forEach(this::container);
    }

    private void container(Container found) {
        String at = "spec.containers[" + found.getName() + "]";
        found.getPorts().stream()
                .filter(port -> isIn(PORTS, port.getContainerPort()) || isIn(PORT_NAMES, port.getName()))
                .forEach(port -> reserved(at + ".ports[" + port.getContainerPort() + "]"));
        if (!container.equals(found.getName())) {
            return;
        }
        reservedIf(!found.getCommand().isEmpty(), at + ".command");
        reservedIf(!found.getArgs().isEmpty(), at + ".args");
        reservedIf(found.getWorkingDir() != null, at + ".workingDir");
        if (found.getImage() != null) {
            problems.add(
                    new Problem(Reason.INVALID_SPEC, path + "." + at + ".image is reserved; set spec.image instead"));
        }
        found.getEnv().stream()
                .map(variable -> variable.getName())
                .filter(name -> name.startsWith("RATCHET_") && !OPEN_VARIABLES.contains(name))
                .forEach(name -> reserved(at + ".env[" + name + "]"));
        found.getVolumeMounts().stream()
                .filter(mount -> MOUNTS.contains(mount.getMountPath()))
                .forEach(mount -> reserved(at + ".volumeMounts[" + mount.getMountPath() + "]"));
    }

    /** A port may have no name, and immutable sets refuse even to be asked for null. */
    private static <T> boolean isIn(Set<T> set, @Nullable T value) {
        return value != null && set.contains(value);
    }

    private void reservedIf(boolean touched, String what) {
        if (touched) {
            reserved(what);
        }
    }

    private void reserved(String what) {
        problems.add(new Problem(Reason.INVALID_SPEC, path + "." + what + " is reserved for the operator; remove it"));
    }
}
