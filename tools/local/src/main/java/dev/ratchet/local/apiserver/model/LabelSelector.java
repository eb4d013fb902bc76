/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A label selector: a list of requirements that must all hold. Reads the text form of a query and the object form of a
 * spec.
 */
public final class LabelSelector {

    private static final Pattern SET = Pattern.compile("(\\S+)\\s+(in|notin)\\s*\\(([^)]*)\\)");
    private static final Pattern EQUALITY = Pattern.compile("([^=!\\s]+)\\s*(==|=|!=)\\s*(\\S*)");
    private static final Pattern EXISTS = Pattern.compile("(!?)\\s*([^=!\\s(),]+)");

    private enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        ABSENT
    }

    private record Requirement(String key, Operator operator, Set<String> values) {
        boolean holds(Map<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case ABSENT -> value == null;
            };
        }
    }

    private static final LabelSelector EVERYTHING = new LabelSelector(List.of());

    private final List<Requirement> requirements;

    private LabelSelector(List<Requirement> requirements) {
        this.requirements = requirements;
    }

    public boolean matches(Map<String, String> labels) {
        return requirements.stream().allMatch(requirement -> requirement.holds(labels));
    }

    public boolean isEverything() {
        return requirements.isEmpty();
    }

    /**
     * Reads a selector such as {@code app=a,tier in (x, y),!old}.
     *
     * @throws ApiException 400 when it can not be read
     */
    public static LabelSelector parse(String text) {
        List<Requirement> found = new ArrayList<>();
        for (String part : splitOutsideParentheses(text)) {
            if (!part.isBlank()) {
                found.add(requirement(part.strip(), text));
            }
        }
        return found.isEmpty() ? EVERYTHING : new LabelSelector(List.copyOf(found));
    }

    /** Reads {@code matchLabels} and {@code matchExpressions}; an absent selector matches nothing. */
    public static @Nullable LabelSelector of(@Nullable JsonNode selector) {
        if (selector == null || selector.isNull()) {
            return null;
        }
        List<Requirement> found = new ArrayList<>();
        Metadata.strings(selector.get("matchLabels"))
                .forEach((key, value) -> found.add(new Requirement(key, Operator.IN, Set.of(value))));
        for (JsonNode expression : selector.path("matchExpressions")) {
            Set<String> values = new TreeSet<>();
            expression.path("values").forEach(value -> values.add(value.asText()));
            Operator operator =
                    switch (expression.path("operator").asText()) {
                        case "In" -> Operator.IN;
                        case "NotIn" -> Operator.NOT_IN;
                        case "Exists" -> Operator.EXISTS;
                        default -> Operator.ABSENT;
                    };
            found.add(new Requirement(expression.path("key").asText(), operator, values));
        }
        return new LabelSelector(List.copyOf(found));
    }

    private static Requirement requirement(String part, String whole) {
        Matcher set = SET.matcher(part);
        if (set.matches()) {
            Set<String> values = new TreeSet<>();
            Arrays.stream(set.group(3).split(",", -1)).map(String::strip).forEach(values::add);
            return new Requirement(set.group(1), set.group(2).equals("in") ? Operator.IN : Operator.NOT_IN, values);
        }
        Matcher equality = EQUALITY.matcher(part);
        if (equality.matches()) {
            Operator operator = equality.group(2).equals("!=") ? Operator.NOT_IN : Operator.IN;
            return new Requirement(equality.group(1), operator, Set.of(equality.group(3)));
        }
        Matcher exists = EXISTS.matcher(part);
        if (exists.matches()) {
            Operator operator = exists.group(1).isEmpty() ? Operator.EXISTS : Operator.ABSENT;
            return new Requirement(exists.group(2), operator, Set.of());
        }
        throw ApiException.badRequest(
                "unable to parse requirement \"" + part + "\" of label selector \"" + whole + "\"");
    }

    private static List<String> splitOutsideParentheses(String text) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '(') {
                depth++;
            } else if (c == ')') {
                depth--;
            } else if (c == ',' && depth == 0) {
                parts.add(text.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }
}
