/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.FieldError;
import dev.ratchet.local.apiserver.json.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Pods: what is filled in, what they must have, and that a running one hardly changes. */
final class PodRules {

    private static final String MAY_NOT_CHANGE =
            "pod updates may not change fields other than `spec.containers[*].image`, "
                    + "`spec.initContainers[*].image`, `spec.activeDeadlineSeconds`, `spec.tolerations` (only "
                    + "additions to existing tolerations), "
                    + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

    private PodRules() {}

    static void onCreate(ObjectNode pod) {
        ObjectNode status = Json.ensure(pod, "status");
        status.put("phase", "Pending");
        status.put("qosClass", qualityOfService(pod));
    }

    static void fill(ObjectNode pod) {
        ObjectNode spec = Json.ensure(pod, "spec");
        if (!spec.has("serviceAccountName")) {
            spec.put("serviceAccountName", "default");
        }
        if (!spec.has("securityContext")) {
            spec.putObject("securityContext");
        }
        for (String list : List.of("initContainers", "containers")) {
            for (JsonNode node : spec.path(list)) {
                if (node instanceof ObjectNode container) {
                    fillContainer(container);
                }
            }
        }
    }

    private static void fillContainer(ObjectNode container) {
        if (!container.has("resources")) {
            container.putObject("resources");
        }
        if (!container.has("imagePullPolicy")) {
            String image = container.path("image").asText("");
            String name = image.substring(image.lastIndexOf('/') + 1);
            boolean isLatest = !name.contains("@") && (!name.contains(":") || name.endsWith(":latest"));
            container.put("imagePullPolicy", isLatest ? "Always" : "IfNotPresent");
        }
        ObjectNode resources = Json.ensure(container, "resources");
        for (Map.Entry<String, JsonNode> limit : resources.path("limits").properties()) {
            ObjectNode requests = Json.ensure(resources, "requests");
            if (!requests.has(limit.getKey())) {
                requests.set(limit.getKey(), limit.getValue());
            }
        }
    }

    static void validate(ObjectNode pod, @Nullable ObjectNode current, List<FieldError> errors) {
        JsonNode spec = pod.path("spec");
        if (spec.path("containers").isEmpty()) {
            errors.add(FieldError.required("spec.containers", ""));
        }
        Set<String> volumes = new HashSet<>();
        checkNames(spec.path("volumes"), "spec.volumes", volumes, errors);
        Set<String> names = new HashSet<>();
        for (String list : List.of("initContainers", "containers")) {
            checkNames(spec.path(list), "spec." + list, names, errors);
            for (int i = 0; i < spec.path(list).size(); i++) {
                checkContainer(spec.path(list).path(i), "spec." + list + "[" + i + "]", volumes, errors);
            }
        }
        String restart = spec.path("restartPolicy").asText();
        if (!Set.of("Always", "OnFailure", "Never").contains(restart)) {
            errors.add(FieldError.unsupported(
                    "spec.restartPolicy", "\"" + restart + "\"", "\"Always\", \"OnFailure\", \"Never\""));
        }
        if (current != null && !comparable(pod).equals(comparable(current))) {
            errors.add(FieldError.forbidden("spec", MAY_NOT_CHANGE));
        }
    }

    private static void checkNames(JsonNode items, String path, Set<String> seen, List<FieldError> errors) {
        for (int i = 0; i < items.size(); i++) {
            String name = items.path(i).path("name").asText("");
            String at = path + "[" + i + "].name";
            if (name.isEmpty()) {
                errors.add(FieldError.required(at, ""));
            } else if (!seen.add(name)) {
                errors.add(FieldError.duplicate(at, "\"" + name + "\""));
            }
        }
    }

    private static void checkContainer(JsonNode container, String path, Set<String> volumes, List<FieldError> errors) {
        if (container.path("image").asText("").isEmpty()) {
            errors.add(FieldError.required(path + ".image", ""));
        }
        JsonNode mounts = container.path("volumeMounts");
        for (int i = 0; i < mounts.size(); i++) {
            String volume = mounts.path(i).path("name").asText("");
            String at = path + ".volumeMounts[" + i + "]";
            if (!volumes.contains(volume)) {
                errors.add(new FieldError(at + ".name", "FieldValueNotFound", "Not found: \"" + volume + "\""));
            }
            if (mounts.path(i).path("mountPath").asText("").isEmpty()) {
                errors.add(FieldError.required(at + ".mountPath", ""));
            }
        }
    }

    /** The spec without what may change. The node may be set once; here that needs no binding. */
    private static JsonNode comparable(ObjectNode pod) {
        JsonNode copy = pod.path("spec").deepCopy();
        if (copy instanceof ObjectNode spec) {
            spec.remove(List.of("activeDeadlineSeconds", "tolerations", "nodeName", "terminationGracePeriodSeconds"));
            for (String list : List.of("initContainers", "containers")) {
                if (spec.get(list) instanceof ArrayNode containers) {
                    containers.forEach(container -> ((ObjectNode) container).remove("image"));
                }
            }
        }
        return copy;
    }

    private static String qualityOfService(ObjectNode pod) {
        boolean any = false;
        boolean guaranteed = true;
        for (JsonNode container : pod.path("spec").path("containers")) {
            JsonNode limits = container.path("resources").path("limits");
            JsonNode requests = container.path("resources").path("requests");
            any |= !limits.isEmpty() || !requests.isEmpty();
            guaranteed &= limits.has("cpu") && limits.has("memory") && limits.equals(requests);
        }
        return guaranteed ? "Guaranteed" : any ? "Burstable" : "BestEffort";
    }
}
