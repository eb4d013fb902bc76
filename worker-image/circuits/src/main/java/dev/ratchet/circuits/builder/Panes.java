/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.operator.Pipe;
import dev.ratchet.circuits.operator.PipeStage;
import dev.ratchet.circuits.operator.RowMapper;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.ShownSql;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Rows for an aggregation, made so that what comes before overlapping windows is small: only the columns that are read
 * go into each window, and where rows are only counted they are first summed by pane, the piece of time between two
 * starts or ends of windows, so that each group goes into its windows once per step and not once per row.
 */
final class Panes {

    private Panes() {}

    /** Some columns of a stream as rows of a schema. */
    static Node grouped(Stream input, List<Integer> taken, RowSchema schema) {
        List<PipeStage> stages = input.stages();
        List<Integer> wanted = taken;
        int at = stages.size() - 1;
        for (; at >= 0 && stages.get(at) instanceof PipeStage.Project project; at--) {
            wanted = wanted.stream().map(project.columns()::get).toList();
        }
        return at >= 0
                        && stages.get(at) instanceof PipeStage.Expand expand
                        && expand.expander() instanceof Hop hop
                        && hop.isOverlapping()
                ? windowed(input, stages.subList(0, at), hop, wanted, schema)
                : input.piped(List.of(new PipeStage.Project(taken)), schema);
    }

    private static Node windowed(
            Stream input, List<PipeStage> before, Hop hop, List<Integer> wanted, RowSchema schema) {
        int width = hop.columns().size();
        List<Integer> rest = wanted.stream()
                .filter(column -> column < width && column != hop.time())
                .distinct()
                .toList();
        List<Integer> kept = new ArrayList<>(rest);
        kept.add(hop.time());
        List<ColumnType> types = kept.stream().map(hop.columns()::get).toList();
        Hop later = hop.over(types, rest.size());
        List<ColumnType> expanded = new ArrayList<>(types);
        expanded.addAll(List.of(later.boundType(), later.boundType()));
        List<PipeStage> after = List.of(
                new PipeStage.Expand(expanded, later),
                new PipeStage.Project(wanted.stream()
                        .map(column -> column < width ? kept.indexOf(column) : column - width + kept.size())
                        .toList()));
        boolean isCounted = schema.value().isEmpty() && !wanted.contains(hop.time());
        List<PipeStage> stages = new ArrayList<>(before);
        if (!isCounted) {
            stages.add(new PipeStage.Project(kept));
            stages.addAll(after);
            return input.over(stages, schema);
        }
        stages.add(new PipeStage.Map(types, new ToPane(kept, hop)));
        Node byPane = input.over(stages, new RowSchema(types, List.of()));
        return input.nodes().add(Pipe.ofSums(byPane, after, schema));
    }

    /** Takes columns, the time last and as the start of its pane. */
    private record ToPane(List<Integer> columns, Hop hop) implements RowMapper {

        @Override
        public void map(RowView row, RowWriter out) {
            int last = columns.size() - 1;
            for (int i = 0; i < last; i++) {
                int column = columns.get(i);
                out.copy(i, hop.columns().get(column).storage(), row, column);
            }
            if (row.isNull(hop.time())) {
                out.setNull(last);
            } else {
                out.setLong(last, hop.paneOf(row.longAt(hop.time())));
            }
        }

        @Override
        public BitSet columnsRead() {
            BitSet read = new BitSet();
            columns.forEach(read::set);
            return read;
        }

        @Override
        public String text() {
            int last = columns.size() - 1;
            String others = last == 0 ? "" : ShownSql.columns(columns.subList(0, last)) + ", ";
            return others + "start of the pane of " + hop.text();
        }

        @Override
        public String description() {
            return "panes of " + columns + " for " + hop.description();
        }
    }
}
