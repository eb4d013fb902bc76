/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.operator.model.Privilege;
import dev.ratchet.operator.plan.SpecRules.Problem;
import dev.ratchet.operator.status.Reason;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Owns what of a template would give a pod more than the restricted profile: the operator makes the pods, so admission
 * that judges by user sees the operator and not the person who wrote the template.
 */
final class PodPrivileges {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final List<String> CONTAINERS = List.of("containers", "initContainers", "ephemeralContainers");
    private static final List<String> HOST_NAMESPACES = List.of("hostNetwork", "hostPID", "hostIPC");
    private static final List<String> SERVICE_ACCOUNTS = List.of("serviceAccountName", "serviceAccount");

    /** How pods were let out of their confinement before there were fields for it; some servers still read them. */
    private static final List<String> PROFILE_ANNOTATIONS =
            List.of("container.apparmor.security.beta.kubernetes.io/", "seccomp.security.alpha.kubernetes.io/");

    /** The one capability that the restricted profile lets a container add. */
    private static final String HARMLESS_CAPABILITY = "NET_BIND_SERVICE";

    private final String path;
    private final Set<Privilege> allowed;
    private final List<Problem> problems = new ArrayList<>();

    private PodPrivileges(String path, Set<Privilege> allowed) {
        this.path = path;
        this.allowed = allowed;
    }

    /** What {@code template}, which is at {@code path}, asks for and is not in {@code allowed}. */
    static List<Problem> of(String path, PodTemplateSpec template, Set<Privilege> allowed) {
        PodPrivileges privileges = new PodPrivileges(path, allowed);
        JsonNode tree = MAPPER.valueToTree(template);
        privileges.annotations(tree.at("/metadata/annotations"));
        privileges.pod(tree.path("spec"));
        return privileges.problems;
    }

    private void annotations(JsonNode annotations) {
        annotations.properties().forEach(annotation -> {
            boolean profile = PROFILE_ANNOTATIONS.stream().anyMatch(annotation.getKey()::startsWith);
            if (profile && annotation.getValue().asText().equals("unconfined")) {
                refuse(Privilege.PRIVILEGED, "metadata.annotations." + annotation.getKey(), annotation.getValue());
            }
        });
    }

    private void pod(JsonNode pod) {
        for (String name : HOST_NAMESPACES) {
            refuseIf(pod.path(name).asBoolean(), Privilege.HOST_NAMESPACES, "spec." + name, pod.path(name));
        }
        for (String name : SERVICE_ACCOUNTS) {
            boolean other = pod.has(name)
                    && !Set.of("", "default").contains(pod.path(name).asText());
            refuseIf(other, Privilege.SERVICE_ACCOUNT, "spec." + name, pod.path(name));
        }
        JsonNode token = pod.path("automountServiceAccountToken");
        refuseIf(token.asBoolean(), Privilege.SERVICE_ACCOUNT, "spec.automountServiceAccountToken", token);
        security("spec.securityContext", pod.path("securityContext"));
        pod.path("volumes").forEach(this::volume);
        for (String list : CONTAINERS) {
            pod.path(list).forEach(container -> container("spec." + list, container));
        }
    }

    private void volume(JsonNode volume) {
        String at = "spec.volumes[" + volume.path("name").asText() + "]";
        JsonNode hostPath = volume.path("hostPath");
        refuseIf(!hostPath.isMissingNode(), Privilege.HOST_PATH, at + ".hostPath.path", hostPath.path("path"));
        for (JsonNode source : volume.at("/projected/sources")) {
            JsonNode token = source.path("serviceAccountToken");
            String what = at + ".projected.sources.serviceAccountToken";
            refuseIf(!token.isMissingNode(), Privilege.SERVICE_ACCOUNT, what, token.path("path"));
        }
    }

    private void container(String list, JsonNode container) {
        String at = list + "[" + container.path("name").asText() + "]";
        for (JsonNode port : container.path("ports")) {
            JsonNode host = port.path("hostPort");
            String what = at + ".ports[" + port.path("containerPort").asText() + "].hostPort";
            refuseIf(host.asInt() != 0, Privilege.HOST_NAMESPACES, what, host);
        }
        security(at + ".securityContext", container.path("securityContext"));
    }

    /** That of a pod and that of a container have these members in common, or miss them. */
    private void security(String at, JsonNode security) {
        JsonNode user = security.path("runAsUser");
        refuseIf(user.isNumber() && user.asLong() == 0, Privilege.ROOT, at + ".runAsUser", user);
        JsonNode notRoot = security.path("runAsNonRoot");
        refuseIf(notRoot.isBoolean() && !notRoot.asBoolean(), Privilege.ROOT, at + ".runAsNonRoot", notRoot);
        for (String name : List.of("privileged", "allowPrivilegeEscalation")) {
            refuseIf(security.path(name).asBoolean(), Privilege.PRIVILEGED, at + "." + name, security.path(name));
        }
        for (JsonNode capability : security.at("/capabilities/add")) {
            boolean harmless = capability.asText().equals(HARMLESS_CAPABILITY);
            refuseIf(!harmless, Privilege.PRIVILEGED, at + ".capabilities.add", capability);
        }
        JsonNode proc = security.path("procMount");
        refuseIf(proc.asText().equals("Unmasked"), Privilege.PRIVILEGED, at + ".procMount", proc);
        for (String profile : List.of("seccompProfile", "appArmorProfile")) {
            JsonNode type = security.path(profile).path("type");
            refuseIf(type.asText().equals("Unconfined"), Privilege.PRIVILEGED, at + "." + profile + ".type", type);
        }
        JsonNode process = security.at("/windowsOptions/hostProcess");
        refuseIf(process.asBoolean(), Privilege.PRIVILEGED, at + ".windowsOptions.hostProcess", process);
    }

    private void refuseIf(boolean asked, Privilege privilege, String what, JsonNode value) {
        if (asked) {
            refuse(privilege, what, value);
        }
    }

    private void refuse(Privilege privilege, String what, JsonNode value) {
        if (!allowed.contains(privilege)) {
            problems.add(new Problem(
                    Reason.INVALID_SPEC,
                    path + "." + what + " is " + value.asText() + ", which this operator does not allow; remove it, or"
                            + " have its administrator add " + privilege.word()
                            + " to podTemplates.allow of the chart"));
        }
    }
}
