/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * Where the operators of a plan are drawn: in rows, each below all it reads, with a free lane through every row that a
 * line to a later one crosses, so that no line runs behind a box and no two boxes overlap. Within a row, what belongs
 * together is near by the usual rule: each at the mean place of what it reads.
 */
final class PictureLayout {

    private static final int LANE_WIDTH = 10;
    private static final int SWEEPS = 6;

    /** A box, or the lane of a box's line through a later row. */
    private static final class Slot {
        final int row;
        final int width;
        final List<Slot> above = new ArrayList<>();
        final List<Slot> below = new ArrayList<>();

        /** Of a box: itself, and the lanes of its line in the rows that follow. */
        final List<Slot> line = new ArrayList<>();

        double middle;
        double wanted;

        Slot(int row, int width) {
            this.row = row;
            this.width = width;
        }

        double left() {
            return middle - width / 2.0;
        }

        double right() {
            return middle + width / 2.0;
        }
    }

    private final int gap;
    private final List<List<Slot>> rows = new ArrayList<>();

    /** By the numbers of nodes. */
    private final List<Slot> boxes = new ArrayList<>();

    /**
     * Lays out the nodes of a plan.
     *
     * @param nodes all of them, by their numbers
     * @param boxWidth of each
     * @param gap between two things in a row
     */
    PictureLayout(List<Node> nodes, int boxWidth, int gap) {
        this.gap = gap;
        for (Node node : nodes) {
            int row = node.inputs().stream().mapToInt(this::rowOf).max().orElse(-1) + 1;
            Slot box = add(row, boxWidth);
            box.line.add(box);
            boxes.add(box);
            node.inputs().forEach(input -> connect(boxes.get(input.number()), box));
        }
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            rows.forEach(row -> place(row, slot -> slot.above));
            rows.reversed().forEach(row -> place(row, slot -> slot.below));
        }
        rows.forEach(row -> place(row, slot -> slot.above));
        double left = rows.stream()
                .flatMap(List::stream)
                .mapToDouble(Slot::left)
                .min()
                .orElse(0);
        rows.forEach(row -> row.forEach(slot -> slot.middle += gap - left));
    }

    private Slot add(int row, int width) {
        while (rows.size() <= row) {
            rows.add(new ArrayList<>());
        }
        Slot slot = new Slot(row, width);
        rows.get(row).add(slot);
        return slot;
    }

    /** Leads the line of an input to its reader, through lanes that all of its readers share. */
    private void connect(Slot input, Slot reader) {
        while (input.row + input.line.size() < reader.row) {
            Slot lane = add(input.row + input.line.size(), LANE_WIDTH);
            link(input.line.getLast(), lane);
            input.line.add(lane);
        }
        link(input.line.get(reader.row - input.row - 1), reader);
    }

    private static void link(Slot upper, Slot lower) {
        lower.above.add(upper);
        upper.below.add(lower);
    }

    /** Orders a row by the mean place of neighbours, and puts each there or as near as those before it let it. */
    private void place(List<Slot> row, Function<Slot, List<Slot>> neighbours) {
        for (Slot slot : row) {
            slot.wanted = neighbours.apply(slot).stream()
                    .mapToDouble(other -> other.middle)
                    .average()
                    .orElse(slot.middle);
        }
        row.sort(Comparator.comparingDouble(slot -> slot.wanted));
        double end = Double.NEGATIVE_INFINITY;
        double shift = 0;
        for (Slot slot : row) {
            slot.middle = Math.max(slot.wanted, end + gap + slot.width / 2.0);
            end = slot.right();
            shift += (slot.wanted - slot.middle) / row.size();
        }
        for (Slot slot : row) {
            slot.middle += shift;
        }
    }

    int rowOf(Node node) {
        return boxes.get(node.number()).row;
    }

    int rowCount() {
        return rows.size();
    }

    /** The middle of a box. */
    int middleOf(Node node) {
        return (int) boxes.get(node.number()).middle;
    }

    /** The right edge of all. */
    int width() {
        double right = rows.stream()
                .flatMap(List::stream)
                .mapToDouble(Slot::right)
                .max()
                .orElse(0);
        return (int) right + gap;
    }

    /** Where the line from an input to its reader passes: its middle in each row from the one to the other. */
    List<Integer> middles(Node input, Node reader) {
        List<Integer> middles = new ArrayList<>();
        for (Slot slot : boxes.get(input.number()).line.subList(0, rowOf(reader) - rowOf(input))) {
            middles.add((int) slot.middle);
        }
        middles.add(middleOf(reader));
        return middles;
    }
}
