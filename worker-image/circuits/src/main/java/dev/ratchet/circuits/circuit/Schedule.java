/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The order in which every worker thread runs the nodes of a plan: segments, with a barrier of all worker threads
 * between them. A node that reads what other worker threads left lies in a later segment than what it reads; recursions
 * are segments of their own. Nodes that decide whether a step may be applied, and what they read, come before all
 * others.
 */
final class Schedule {

    /**
     * Nodes that a worker thread runs without looking at the others.
     *
     * @param checks the nodes are to check the step, not to evaluate it
     */
    record Segment(List<Node> nodes, boolean checks) {}

    /** Either a segment, or a recursion and the segments of one iteration. */
    record Part(Segment segment, List<Part> iteration) {

        Node recursive() {
            return segment.nodes().get(0);
        }

        boolean isRecursion() {
            return !iteration.isEmpty();
        }
    }

    private Schedule() {}

    static List<Part> of(List<Node> nodes) {
        Map<Node, Integer> ends = new HashMap<>();
        List<Node> checked = nodes.stream().filter(Node::isChecked).toList();
        Map<Integer, List<Node>> stages = new TreeMap<>();
        List<Node> early = new ArrayList<>();
        checked.forEach(node -> node.inputs().forEach(input -> addWithInputs(input, early)));
        int begin = 0;
        for (Node node : nodes) {
            if (early.contains(node)) {
                begin = Math.max(begin, place(node, 0, ends, stages) + 1);
            }
        }
        List<Part> parts = new ArrayList<>();
        emit(stages, parts);
        stages.clear();
        if (!checked.isEmpty()) {
            parts.add(new Part(new Segment(checked, true), List.of()));
        }
        for (Node node : nodes) {
            if (!early.contains(node)) {
                place(node, begin, ends, stages);
            }
        }
        emit(stages, parts);
        return parts;
    }

    private static void addWithInputs(Node node, List<Node> into) {
        if (!into.contains(node)) {
            node.inputs().forEach(input -> addWithInputs(input, into));
            into.add(node);
        }
    }

    private static int place(Node node, int begin, Map<Node, Integer> ends, Map<Integer, List<Node>> stages) {
        int stage = begin;
        for (Node input : node.inputs()) {
            // Nodes that only place rows may be left out.
            Node of = ends.containsKey(input) ? input : input.beforePlacing();
            stage = Math.max(stage, ends.getOrDefault(of, begin));
        }
        for (Node before : node.behind()) {
            stage = Math.max(stage, ends.getOrDefault(before, begin));
        }
        boolean recursive = node.recursion() != null;
        if (node.isAfterBarrier() || recursive) {
            stage++;
        }
        stages.computeIfAbsent(stage, number -> new ArrayList<>()).add(node);
        ends.put(node, recursive ? stage + 1 : stage);
        return stage;
    }

    private static void emit(Map<Integer, List<Node>> stages, List<Part> parts) {
        stages.values().forEach(stage -> {
            List<Node> plain =
                    stage.stream().filter(node -> node.recursion() == null).toList();
            if (!plain.isEmpty()) {
                parts.add(new Part(new Segment(plain, false), List.of()));
            }
            for (Node node : stage) {
                Recursion recursion = node.recursion();
                if (recursion != null) {
                    parts.add(new Part(new Segment(List.of(node), false), of(recursion.nodes())));
                }
            }
        });
    }
}
