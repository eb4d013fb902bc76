/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The JSON paths of printer columns: {@code .a.b}, {@code ['a']}, {@code [0]}, {@code [*]},
 * {@code [?(@.type=="Ready")]}. Anything else is refused when it is compiled.
 */
public final class JsonPath {

    private final List<Function<List<JsonNode>, List<JsonNode>>> steps;

    private JsonPath(List<Function<List<JsonNode>, List<JsonNode>>> steps) {
        this.steps = steps;
    }

    /** All nodes that the path finds, in order. */
    public List<JsonNode> find(JsonNode root) {
        List<JsonNode> current = List.of(root);
        for (Function<List<JsonNode>, List<JsonNode>> step : steps) {
            current = step.apply(current);
        }
        return current;
    }

    /**
     * Reads a path.
     *
     * @throws IllegalArgumentException when the path is not of the supported form
     */
    public static JsonPath compile(String text) {
        List<Function<List<JsonNode>, List<JsonNode>>> steps = new ArrayList<>();
        String path = text.startsWith("{") && text.endsWith("}") ? text.substring(1, text.length() - 1) : text;
        int at = path.startsWith("$") ? 1 : 0;
        while (at < path.length()) {
            char c = path.charAt(at);
            if (c == '.') {
                int end = at + 1;
                StringBuilder name = new StringBuilder();
                while (end < path.length() && path.charAt(end) != '.' && path.charAt(end) != '[') {
                    if (path.charAt(end) == '\\' && end + 1 < path.length()) {
                        end++;
                    }
                    name.append(path.charAt(end++));
                }
                if (!name.isEmpty()) {
                    steps.add(field(name.toString()));
                }
                at = end;
            } else if (c == '[') {
                int end = closingBracket(path, at);
                steps.add(bracket(path.substring(at + 1, end), text));
                at = end + 1;
            } else {
                throw new IllegalArgumentException("JSON path " + text + " can not be read at character " + at);
            }
        }
        return new JsonPath(List.copyOf(steps));
    }

    private static int closingBracket(String path, int from) {
        char quote = 0;
        for (int i = from + 1; i < path.length(); i++) {
            char c = path.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (c == ']') {
                return i;
            }
        }
        throw new IllegalArgumentException("JSON path " + path + " has no closing bracket");
    }

    private static Function<List<JsonNode>, List<JsonNode>> bracket(String inside, String whole) {
        if (inside.equals("*")) {
            return nodes -> expand(nodes, node -> true);
        }
        if (inside.startsWith("'") || inside.startsWith("\"")) {
            return field(inside.substring(1, inside.length() - 1));
        }
        if (inside.startsWith("?(") && inside.endsWith(")")) {
            return filter(inside.substring(2, inside.length() - 1), whole);
        }
        try {
            int index = Integer.parseInt(inside);
            return nodes -> nodes.stream()
                    .filter(node -> node.has(index < 0 ? node.size() + index : index))
                    .map(node -> node.get(index < 0 ? node.size() + index : index))
                    .toList();
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("JSON path " + whole + " has an unsupported part [" + inside + "]", e);
        }
    }

    private static Function<List<JsonNode>, List<JsonNode>> filter(String condition, String whole) {
        int equals = condition.indexOf("==");
        if (!condition.startsWith("@") || equals < 0) {
            throw new IllegalArgumentException("JSON path " + whole + " has an unsupported filter " + condition);
        }
        JsonPath left = compile(condition.substring(1, equals).strip());
        String right = condition.substring(equals + 2).strip().replaceAll("^[\"']|[\"']$", "");
        return nodes -> expand(nodes, node -> left.find(node).stream()
                .anyMatch(found -> found.asText().equals(right)));
    }

    private static Function<List<JsonNode>, List<JsonNode>> field(String name) {
        return nodes -> nodes.stream()
                .filter(node -> node.has(name))
                .map(node -> node.get(name))
                .toList();
    }

    private static List<JsonNode> expand(List<JsonNode> nodes, Predicate<JsonNode> keep) {
        List<JsonNode> found = new ArrayList<>();
        for (JsonNode node : nodes) {
            for (JsonNode child : node) {
                if (keep.test(child)) {
                    found.add(child);
                }
            }
        }
        return found;
    }
}
