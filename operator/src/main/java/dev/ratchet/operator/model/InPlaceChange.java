/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.crds.Names;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Owns the question what makes a pod of one revision one of another while its seat, its node and its files stay. The
 * image of a living pod may be patched, and nothing else of what a revision says.
 *
 * @param image of the worker's container in the revision to come
 * @param others what else differs, such as {@code spec.containers[worker].resources.limits}
 * @param hasVolume whether the files outlive the pod, in both revisions
 */
public record InPlaceChange(String image, List<String> others, boolean hasVolume) {
    private static final String JAVA_OPTIONS = "RATCHET_JAVA_OPTIONS";

    public InPlaceChange {
        others = List.copyOf(others);
    }

    static InPlaceChange between(PodTemplateSpec before, PodTemplateSpec after) {
        List<String> others = new ArrayList<>();
        compare("", whatStays(before), whatStays(after), others);
        return new InPlaceChange(image(after), others, hasVolume(before) && hasVolume(after));
    }

    /** The image of the living pod is patched. */
    public boolean isOfImageAlone() {
        return others.isEmpty();
    }

    /** Neither the pod nor what it has can stay. */
    public boolean isImpossible() {
        return !others.isEmpty() && !hasVolume;
    }

    /**
     * The template without what does not speak against it: images (init containers have run, so theirs may stay what it
     * was) and options of the JVM that an operator has derived from what else the template says, which stay as they
     * are.
     */
    private static JsonNode whatStays(PodTemplateSpec template) {
        String image = image(template);
        JsonNode tree = Revision.tree(template);
        for (String list : List.of("containers", "initContainers")) {
            for (JsonNode container : tree.path("spec").path(list)) {
                if (container.path("image").asText().equals(image) && container instanceof ObjectNode members) {
                    members.remove("image");
                }
                removeDerivedOptions(container);
            }
        }
        return tree;
    }

    private static void removeDerivedOptions(JsonNode container) {
        JsonNode resources = container.path("resources");
        JsonNode limit = resources.path("limits").path("memory");
        JsonNode memory = limit.isMissingNode() ? resources.path("requests").path("memory") : limit;
        Quantity quantity = memory.isMissingNode() ? null : new Quantity(memory.asText());
        long objectStore = value(container, "RATCHET_OBJECT_STORE_MEMORY_BYTES").asLong();
        String options = value(container, JAVA_OPTIONS).asText();
        if (container.path("env") instanceof ArrayNode variables && Memory.isDerived(options, quantity, objectStore)) {
            variables.removeIf(
                    variable -> JAVA_OPTIONS.equals(variable.path("name").asText()));
        }
    }

    private static JsonNode value(JsonNode container, String variable) {
        for (JsonNode entry : container.path("env")) {
            if (variable.equals(entry.path("name").asText())) {
                return entry.path("value");
            }
        }
        return MissingNode.getInstance();
    }

    private static String image(PodTemplateSpec template) {
        return template.getSpec().getContainers().stream()
                .filter(container -> container.getName().equals(Names.WORKER_CONTAINER))
                .map(container -> container.getImage())
                .findFirst()
                .orElse("");
    }

    private static boolean hasVolume(PodTemplateSpec template) {
        return template.getSpec().getVolumes().stream()
                .anyMatch(volume -> volume.getName().equals("data") && volume.getPersistentVolumeClaim() != null);
    }

    private static void compare(String path, JsonNode before, JsonNode after, List<String> found) {
        if (before.equals(after)) {
            return;
        }
        JsonNode left = byName(before);
        JsonNode right = byName(after);
        if (!left.isObject() || !right.isObject()) {
            found.add(path);
            return;
        }
        Set<String> names = new TreeSet<>();
        left.fieldNames().forEachRemaining(names::add);
        right.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            String next = before.isArray() ? path + "[" + name + "]" : path.isEmpty() ? name : path + "." + name;
            compare(next, member(left, name), member(right, name), found);
        }
    }

    private static JsonNode member(JsonNode tree, String name) {
        return tree.has(name) ? tree.get(name) : MissingNode.getInstance();
    }

    /** A list whose elements have names, as a map. */
    private static JsonNode byName(JsonNode node) {
        if (!(node instanceof ArrayNode list)) {
            return node;
        }
        ObjectNode map = list.objectNode();
        for (JsonNode element : list) {
            if (!element.has("name")) {
                return node;
            }
            map.set(element.get("name").asText(), element);
        }
        return map;
    }
}
