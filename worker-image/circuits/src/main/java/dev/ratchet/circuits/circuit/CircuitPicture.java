/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A circuit drawn: its operators, what they read, and what each did so far, with its rate over the time the circuit has
 * been there. Taken at once and immutable; as Graphviz, as JSON, or as an SVG that needs no other program.
 */
public final class CircuitPicture {

    private static final int FONT_SIZE = 11;
    private static final int LINE_HEIGHT = 14;
    private static final int PADDING = 8;
    private static final int GAP_X = 24;
    private static final int GAP_Y = 40;

    /** Characters of a line and lines of a description in a box; all of it is in the title of the box. */
    private static final int LABEL_MAX = 42;

    private static final int WRAPPED_MAX = 4;

    /** Characters of a monospace font are 0.6 of its size wide, some a little more. */
    private static final int BOX_WIDTH = LABEL_MAX * FONT_SIZE * 62 / 100 + 2 * PADDING;

    private static final long MEGABYTES_FROM = 10_000_000;
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

    /** Boxes in rows from tables to views, those inside of recursions in another colour. */
    public String svg() {
        List<Node> nodes = plan.allNodes();
        PictureLayout layout = new PictureLayout(nodes, BOX_WIDTH, GAP_X);
        int[] heights = new int[layout.rowCount()];
        for (Node node : nodes) {
            int row = layout.rowOf(node);
            heights[row] = Math.max(heights[row], label(node).size() * LINE_HEIGHT + PADDING);
        }
        int[] tops = new int[heights.length + 1];
        tops[0] = GAP_Y / 2;
        for (int row = 0; row < heights.length; row++) {
            tops[row + 1] = tops[row] + heights[row] + GAP_Y;
        }
        int height = tops[heights.length] - GAP_Y / 2;
        StringBuilder out = new StringBuilder("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + layout.width()
                + "\" height=\"" + height + "\" viewBox=\"0 0 " + layout.width() + " " + height
                + "\" font-family=\"monospace\" font-size=\"" + FONT_SIZE + "\">\n"
                + "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
        Set<String> lines = new LinkedHashSet<>();
        for (Node node : nodes) {
            for (Node input : node.inputs()) {
                List<Integer> middles = layout.middles(input, node);
                int row = layout.rowOf(input);
                int from = tops[row] + label(input).size() * LINE_HEIGHT + PADDING;
                for (int i = 1; i < middles.size(); i++) {
                    lines.add(line(middles.get(i - 1), from, middles.get(i), tops[row + i], tops[row + i] - GAP_Y));
                    from = tops[row + i];
                }
            }
        }
        lines.forEach(line -> out.append(line).append('\n'));
        Set<Node> outside = new HashSet<>(plan.nodes());
        for (Node node : nodes) {
            box(node, layout.middleOf(node) - BOX_WIDTH / 2, tops[layout.rowOf(node)], outside.contains(node), out);
        }
        return out.append("</svg>\n").toString();
    }

    /** Straight down through the row in which it starts, then over to the next. */
    private static String line(int x, int y, int toX, int toY, int bendY) {
        return "<path d=\"M" + x + " " + y + " L" + x + " " + bendY + " C" + x + " " + (bendY + GAP_Y * 2 / 3) + " "
                + toX + " " + (toY - GAP_Y * 2 / 3) + " " + toX + " " + toY + "\" fill=\"none\" stroke=\"#888\"/>";
    }

    private void box(Node node, int x, int y, boolean isOutside, StringBuilder out) {
        List<String> label = label(node);
        out.append("<g><title>" + xml(node.kind() + ": " + node.text()) + "</title><rect x=\"" + x + "\" y=\"" + y
                + "\" width=\"" + BOX_WIDTH + "\" height=\"" + (label.size() * LINE_HEIGHT + PADDING)
                + "\" rx=\"5\" fill=\"" + (isOutside ? "#f4f6f8" : "#fdf3dc") + "\" stroke=\"#445\"/>");
        int line = y;
        for (String text : label) {
            String weight = line == y ? " font-weight=\"bold\"" : "";
            line += LINE_HEIGHT;
            out.append("<text x=\"" + (x + PADDING) + "\" y=\"" + line + "\"" + weight + ">" + xml(text) + "</text>");
        }
        out.append("</g>\n");
    }

    /** Lines of at most {@link #LABEL_MAX} characters. */
    private List<String> label(Node node) {
        OperatorMetrics operator = of(node);
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%s, %,d ms", operator.kind(), operator.nanos() / NANOS_PER_MILLI));
        lines.addAll(wrapped(operator.description()));
        lines.add(String.format(Locale.ROOT, "%,d rows, %,d/s", operator.rows(), rate(operator)));
        if (operator.stateRows() > 0) {
            boolean isLarge = operator.stateBytes() >= MEGABYTES_FROM;
            lines.add(String.format(
                    Locale.ROOT,
                    "remembers %,d rows, %,d %s",
                    operator.stateRows(),
                    operator.stateBytes() / (isLarge ? 1_000_000 : 1000),
                    isLarge ? "MB" : "kB"));
        }
        return lines;
    }

    /** The first lines of a text, broken between words; words that are too long are cut. */
    private static List<String> wrapped(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.isEmpty() ? new String[0] : text.split(" ")) {
            String shown = word.length() > LABEL_MAX ? word.substring(0, LABEL_MAX - 1) + "…" : word;
            if (!line.isEmpty() && line.length() + 1 + shown.length() > LABEL_MAX) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(shown);
        }
        if (!line.isEmpty()) {
            lines.add(line.toString());
        }
        if (lines.size() <= WRAPPED_MAX) {
            return lines;
        }
        String last = lines.get(WRAPPED_MAX - 1);
        List<String> shown = new ArrayList<>(lines.subList(0, WRAPPED_MAX - 1));
        shown.add(last.substring(0, Math.min(last.length(), LABEL_MAX - 2)) + " …");
        return shown;
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
