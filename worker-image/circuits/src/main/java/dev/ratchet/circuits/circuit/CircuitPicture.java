/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A circuit drawn: its operators, what they read, and what each did so far, with its rate over the time the circuit has
 * been there. Taken at once and immutable; as Graphviz, as JSON, or as an SVG that needs no other program.
 */
public final class CircuitPicture {

    private static final int BOX_WIDTH = 210;
    private static final int BOX_HEIGHT = 62;
    private static final int GAP_X = 30;
    private static final int GAP_Y = 46;
    private static final int LABEL_MAX = 34;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Plan plan;
    private final List<OperatorMetrics> metrics;
    private final double seconds;

    /**
     * A picture of these numbers.
     *
     * @param metrics of all nodes of the plan, in its order
     * @param elapsedNanos the time in which the operators did it
     */
    public CircuitPicture(Plan plan, List<OperatorMetrics> metrics, long elapsedNanos) {
        this.plan = plan;
        this.metrics = List.copyOf(metrics);
        this.seconds = Math.max(1, elapsedNanos) / NANOS_PER_SECOND;
    }

    private long rate(OperatorMetrics operator) {
        return Math.round(operator.rows() / seconds);
    }

    private OperatorMetrics of(Node node) {
        return metrics.get(node.number());
    }

    /** For Graphviz; recursions are boxes around what is inside. */
    public String dot() {
        StringBuilder out = new StringBuilder("digraph circuit {\n  node [shape=box, fontname=\"sans-serif\"];\n");
        for (Node node : plan.allNodes()) {
            Recursion recursion = node.recursion();
            if (recursion != null) {
                out.append("  subgraph cluster_" + node.number() + " {\n    label=\"recursion "
                        + escape(recursion.name()) + "\";\n");
                recursion.nodes().forEach(inner -> out.append("    n" + inner.number() + ";\n"));
                out.append("  }\n");
            } else {
                out.append("  n" + node.number() + " [label=\"" + escape(String.join("\n", label(node))) + "\"];\n");
            }
        }
        for (Node node : plan.allNodes()) {
            if (node.recursion() == null) {
                for (Node input : node.inputs()) {
                    if (input.recursion() == null) {
                        out.append("  n" + input.number() + " -> n" + node.number() + ";\n");
                    }
                }
            }
        }
        return out.append("}\n").toString();
    }

    /** An object with one element per operator in {@code operators}; numbers are those of {@link OperatorMetrics}. */
    public String json() {
        List<String> operators = new ArrayList<>();
        for (Node node : plan.allNodes()) {
            OperatorMetrics operator = of(node);
            Map<String, Object> fields = new TreeMap<>();
            fields.put("bytes", operator.bytes());
            fields.put("evaluations", operator.evaluations());
            fields.put("millis", operator.nanos() / NANOS_PER_MILLI);
            fields.put("rows", operator.rows());
            fields.put("rowsPerSecond", rate(operator));
            fields.put("seeks", operator.seeks());
            fields.put("stateBytes", operator.stateBytes());
            fields.put("memoryBytes", operator.memoryBytes());
            fields.put("stateRows", operator.stateRows());
            StringBuilder out = new StringBuilder();
            fields.forEach((name, value) -> out.append(", \"" + name + "\": " + value));
            List<String> inputs = node.inputs().stream()
                    .map(input -> "\"" + plan.idOf(input) + "\"")
                    .toList();
            operators.add("    {\"id\": \"" + escape(operator.id()) + "\", \"kind\": \"" + escape(operator.kind())
                    + "\", \"description\": \"" + escape(operator.description()) + "\", \"inputs\": " + inputs + out
                    + "}");
        }
        return "{\n  \"fingerprint\": \"" + plan.fingerprint() + "\",\n  \"operators\": [\n"
                + String.join(",\n", operators) + "\n  ]\n}\n";
    }

    /** Boxes in rows from tables to views. */
    public String svg() {
        Map<Node, int[]> places = places();
        int width = GAP_X;
        int height = GAP_Y;
        for (int[] place : places.values()) {
            width = Math.max(width, place[0] + BOX_WIDTH + GAP_X);
            height = Math.max(height, place[1] + BOX_HEIGHT + GAP_Y);
        }
        StringBuilder out = new StringBuilder("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width
                + "\" height=\"" + height + "\" font-family=\"sans-serif\" font-size=\"11\">\n");
        places.forEach((node, place) -> {
            for (Node input : node.inputs()) {
                int[] from = places.get(input);
                if (from != null) {
                    int x = from[0] + BOX_WIDTH / 2;
                    int y = from[1] + BOX_HEIGHT;
                    int toX = place[0] + BOX_WIDTH / 2;
                    out.append("<path d=\"M" + x + " " + y + " C" + x + " " + (y + GAP_Y) + " " + toX + " "
                            + (place[1] - GAP_Y) + " " + toX + " " + place[1]
                            + "\" fill=\"none\" stroke=\"#888\"/>\n");
                }
            }
        });
        places.forEach((node, place) -> box(node, place, out));
        return out.append("</svg>\n").toString();
    }

    private void box(Node node, int[] place, StringBuilder out) {
        out.append("<g><title>" + xml(node.kind() + " " + node.description()) + "</title><rect x=\"" + place[0]
                + "\" y=\"" + place[1] + "\" width=\"" + BOX_WIDTH + "\" height=\"" + BOX_HEIGHT
                + "\" rx=\"5\" fill=\"#f4f6f8\" stroke=\"#445\"/>");
        int line = place[1];
        for (String text : label(node)) {
            line += 14;
            out.append("<text x=\"" + (place[0] + 8) + "\" y=\"" + line + "\">" + xml(text) + "</text>");
        }
        out.append("</g>\n");
    }

    private Map<Node, int[]> places() {
        Map<Integer, Integer> layers = new TreeMap<>();
        Map<Integer, Integer> used = new TreeMap<>();
        Map<Node, int[]> places = new LinkedHashMap<>();
        for (Node node : plan.allNodes()) {
            int layer = 0;
            for (Node input : node.inputs()) {
                layer = Math.max(layer, layers.getOrDefault(input.number(), 0) + 1);
            }
            layers.put(node.number(), layer);
            int column = used.merge(layer, 1, Integer::sum) - 1;
            places.put(
                    node, new int[] {GAP_X + column * (BOX_WIDTH + GAP_X), GAP_Y / 2 + layer * (BOX_HEIGHT + GAP_Y)});
        }
        return places;
    }

    private List<String> label(Node node) {
        OperatorMetrics operator = of(node);
        String text = operator.description();
        String shortened = text.length() > LABEL_MAX ? text.substring(0, LABEL_MAX) + "…" : text;
        return List.of(
                operator.kind(),
                shortened,
                String.format(
                        Locale.ROOT,
                        "%,d rows, %,d/s, %,d ms",
                        operator.rows(),
                        rate(operator),
                        operator.nanos() / NANOS_PER_MILLI),
                operator.stateRows() == 0
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "remembers %,d rows, %,d kB",
                                operator.stateRows(),
                                operator.stateBytes() / 1000));
    }

    private static String escape(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                default -> out.append(c < ' ' ? String.format(Locale.ROOT, "\\u%04x", (int) c) : String.valueOf(c));
            }
        }
        return out.toString();
    }

    private static String xml(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                default -> out.append(c < ' ' ? ' ' : c);
            }
        }
        return out.toString();
    }
}
