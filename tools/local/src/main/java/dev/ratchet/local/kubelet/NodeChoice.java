/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the node for a pod: among those that may and can take it the one with the fewest pods. Required affinity and
 * selectors are honoured, preferences are not. Pure.
 *
 * @param node the chosen one; empty if none can take the pod
 * @param obstacle why none can, as the scheduler of Kubernetes says it; "" if one can
 */
record NodeChoice(Optional<Node> node, String obstacle) {

    /** A choice among {@code nodes}, on which {@code bound} are. */
    static NodeChoice of(Pod pod, Collection<Node> nodes, List<Pod> bound, KubeletOptions size) {
        Map<String, Integer> reasons = new TreeMap<>();
        List<Node> fitting = new ArrayList<>();
        Map<String, List<Pod>> perNode = bound.stream()
                .collect(Collectors.groupingBy(
                        taken -> String.valueOf(taken.getSpec().getNodeName())));
        for (Node node : nodes) {
            List<Pod> there = perNode.getOrDefault(node.getMetadata().getName(), List.of());
            List<String> obstacles = obstacles(pod, node, there, size);
            obstacles.forEach(reason -> reasons.merge(reason, 1, Integer::sum));
            if (obstacles.isEmpty()) {
                fitting.add(node);
            }
        }
        Optional<Node> chosen = fitting.stream()
                .min(Comparator.comparing((Node node) -> perNode.getOrDefault(
                                        node.getMetadata().getName(), List.of())
                                .size())
                        .thenComparing(node -> node.getMetadata().getName()));
        String obstacle = reasons.entrySet().stream()
                .map(reason -> reason.getValue() + " " + reason.getKey())
                .collect(Collectors.joining(", ", "0/" + nodes.size() + " nodes are available: ", "."));
        return new NodeChoice(chosen, chosen.isPresent() ? "" : obstacle);
    }

    private static List<String> obstacles(Pod pod, Node node, List<Pod> there, KubeletOptions size) {
        if (NodeAgent.isLost(node)) {
            return List.of("node(s) had untolerated taint {node.kubernetes.io/unreachable: }");
        }
        if (Boolean.TRUE.equals(node.getSpec().getUnschedulable())) {
            return List.of("node(s) were unschedulable");
        }
        if (!isSelected(pod, node)) {
            return List.of("node(s) didn't match Pod's node affinity/selector");
        }
        List<String> obstacles = new ArrayList<>();
        if (there.size() >= KubeletOptions.PODS_LIMIT) {
            obstacles.add("Too many pods");
        }
        PodRequests used = there.stream().map(PodRequests::of).reduce(PodRequests.NONE, PodRequests::plus);
        obstacles.addAll(PodRequests.of(pod).missing(used, size.cpuMillis(), size.memoryBytes()));
        return obstacles;
    }

    private static boolean isSelected(Pod pod, Node node) {
        Map<String, String> labels = node.getMetadata().getLabels();
        Map<String, String> selector = pod.getSpec().getNodeSelector();
        if (selector != null && !labels.entrySet().containsAll(selector.entrySet())) {
            return false;
        }
        return Optional.ofNullable(pod.getSpec().getAffinity())
                .map(Affinity::getNodeAffinity)
                .map(NodeAffinity::getRequiredDuringSchedulingIgnoredDuringExecution)
                .map(required -> required.getNodeSelectorTerms().stream().anyMatch(term -> matches(term, node)))
                .orElse(true);
    }

    private static boolean matches(NodeSelectorTerm term, Node node) {
        Map<String, String> fields = Map.of("metadata.name", node.getMetadata().getName());
        return term.getMatchFields().stream().allMatch(asked -> holds(asked, fields))
                && term.getMatchExpressions().stream()
                        .allMatch(asked -> holds(asked, node.getMetadata().getLabels()));
    }

    private static boolean holds(NodeSelectorRequirement asked, Map<String, String> values) {
        @Nullable String value = values.get(asked.getKey());
        return switch (asked.getOperator()) {
            case "In" -> value != null && asked.getValues().contains(value);
            case "NotIn" -> value == null || !asked.getValues().contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            case "Gt" -> number(value) > number(asked.getValues().get(0));
            case "Lt" -> number(value) < number(asked.getValues().get(0));
            default -> false;
        };
    }

    /** No number is neither above nor below another. */
    private static double number(@Nullable String text) {
        try {
            return Long.parseLong(Objects.requireNonNullElse(text, ""));
        } catch (NumberFormatException noNumber) {
            return Double.NaN;
        }
    }
}
