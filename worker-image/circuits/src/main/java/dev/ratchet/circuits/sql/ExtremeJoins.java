/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.instruction.WrittenStream;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.Storage;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/**
 * Inner joins of rows with the largest or smallest value of each of their groups, where that is asked of the same rows:
 * the pairs are the first rows of each group by rank, which need one arrangement instead of three.
 */
final class ExtremeJoins {

    private final PlanTranslator plans;

    ExtremeJoins(PlanTranslator plans) {
        this.plans = plans;
    }

    /** Some columns of a plan that has no projection on top. */
    private record Columns(RelNode source, List<Integer> columns) {

        static Columns of(RelNode plan) {
            RelNode source = plan;
            List<Integer> columns = range(0, width(plan));
            while (source instanceof Project project
                    && project.getProjects().stream().allMatch(RexInputRef.class::isInstance)) {
                columns = columns.stream()
                        .map(column -> ((RexInputRef) project.getProjects().get(column)).getIndex())
                        .toList();
                source = project.getInput();
            }
            return new Columns(source, columns);
        }
    }

    /**
     * One side as rows and the other as extremes of them.
     *
     * @param rows the side of the rows
     * @param other columns of the other side, as those of its aggregate
     * @param group columns of the rows that make a group, in the order of the aggregate
     * @param value the column of the rows that is compared
     */
    private record Extremes(RelNode rows, List<Integer> other, List<Integer> group, int value, boolean largest) {}

    /**
     * The rows that a join gives, where it is such a one and its extremes may sink.
     *
     * @param rest what pairs must meet besides equal keys
     */
    Optional<WrittenStream> translate(Join join, List<Integer> leftKeys, List<Integer> rightKeys, RexNode rest) {
        if (join.getJoinType() != JoinRelType.INNER) {
            return Optional.empty();
        }
        int width = width(join.getLeft());
        Extremes ofRight =
                match(join.getLeft(), leftKeys, join.getRight(), rightKeys, comparison(rest, 0, width), rest);
        Extremes found = ofRight != null
                ? ofRight
                : match(join.getRight(), rightKeys, join.getLeft(), leftKeys, comparison(rest, width, width), rest);
        return found == null ? Optional.empty() : firstRows(found, ofRight != null);
    }

    private Optional<WrittenStream> firstRows(Extremes found, boolean rowsFirst) {
        WrittenStream rows = plans.translate(found.rows());
        ColumnType value = rows.columns().get(found.value());
        boolean isComparedAsStored =
                value.storage() == Storage.LONG && value.kind() != TypeKind.DOUBLE && value.kind() != TypeKind.REAL;
        if (!isComparedAsStored
                || rows.isInsideRecursion()
                || rows.keepsExtremes(found.group(), found.value(), found.largest())) {
            return Optional.empty();
        }
        List<Integer> own = range(0, rows.columns().size());
        List<Integer> columns = new ArrayList<>(rowsFirst ? own : List.of());
        List<ColumnType> types = new ArrayList<>(rowsFirst ? rows.columns() : List.of());
        for (int column : found.other()) {
            boolean isKey = column < found.group().size();
            int from = isKey ? found.group().get(column) : found.value();
            columns.add(from);
            types.add(isKey ? rows.columns().get(from) : value.orNull());
        }
        columns.addAll(rowsFirst ? List.of() : own);
        types.addAll(rowsFirst ? List.of() : rows.columns());
        return Optional.of(rows.extremes(found.group(), found.value(), found.largest())
                .project(columns)
                .as(types));
    }

    /** How a column of the rows must be to a column of the other side, if that is all that is asked besides keys. */
    private record Comparison(int rowsColumn, int otherColumn, SqlKind kind) {}

    /** @param from number of the first column of the rows among those of a pair, whose left side is so wide */
    private static @Nullable Comparison comparison(RexNode rest, int from, int width) {
        if (!(rest instanceof RexCall call)
                || call.getOperands().size() != 2
                || !(call.getOperands().get(0) instanceof RexInputRef one)
                || !(call.getOperands().get(1) instanceof RexInputRef two)
                || one.getIndex() < width == two.getIndex() < width) {
            return null;
        }
        boolean isOneOfRows = one.getIndex() < width == (from == 0);
        int rows = (isOneOfRows ? one : two).getIndex();
        int other = (isOneOfRows ? two : one).getIndex();
        return new Comparison(
                rows - from,
                from == 0 ? other - width : other,
                isOneOfRows ? call.getKind() : call.getKind().reverse());
    }

    private static @Nullable Extremes match(
            RelNode rows,
            List<Integer> rowsKeys,
            RelNode other,
            List<Integer> otherKeys,
            @Nullable Comparison comparison,
            RexNode rest) {
        Columns extremes = Columns.of(other);
        if (!(extremes.source() instanceof Aggregate aggregate) || !isExtreme(aggregate)) {
            return null;
        }
        AggregateCall call = aggregate.getAggCallList().get(0);
        Columns mine = Columns.of(rows);
        Columns theirs = Columns.of(aggregate.getInput());
        if (!mine.source().getRelDigest().equals(theirs.source().getRelDigest())) {
            return null;
        }
        // What each column of the aggregate is in the rows below the projections, and by which one of ours it is met.
        List<Integer> wanted = new ArrayList<>();
        aggregate.getGroupSet().forEach(column -> wanted.add(theirs.columns().get(column)));
        wanted.add(theirs.columns().get(call.getArgList().get(0)));
        int[] met = new int[wanted.size()];
        Arrays.fill(met, -1);
        for (int key = 0; key < rowsKeys.size(); key++) {
            int column = extremes.columns().get(otherKeys.get(key));
            if (!mine.columns().get(rowsKeys.get(key)).equals(wanted.get(column))) {
                return null;
            }
            met[column] = rowsKeys.get(key);
        }
        int value = wanted.size() - 1;
        boolean largest = call.getAggregation().getKind() == SqlKind.MAX;
        if (!rest.isAlwaysTrue()) {
            SqlKind atBest = largest ? SqlKind.GREATER_THAN_OR_EQUAL : SqlKind.LESS_THAN_OR_EQUAL;
            if (comparison == null
                    || comparison.kind() != atBest
                    || extremes.columns().get(comparison.otherColumn()) != value
                    || !mine.columns().get(comparison.rowsColumn()).equals(wanted.get(value))) {
                return null;
            }
            met[value] = comparison.rowsColumn();
        }
        if (IntStream.of(met).anyMatch(column -> column < 0)) {
            return null;
        }
        return new Extremes(
                rows, extremes.columns(), IntStream.of(met).limit(value).boxed().toList(), met[value], largest);
    }

    private static boolean isExtreme(Aggregate aggregate) {
        if (aggregate.getGroupType() != Aggregate.Group.SIMPLE
                || aggregate.getAggCallList().size() != 1) {
            return false;
        }
        AggregateCall call = aggregate.getAggCallList().get(0);
        SqlKind kind = call.getAggregation().getKind();
        return (kind == SqlKind.MAX || kind == SqlKind.MIN) && !call.hasFilter();
    }

    private static int width(RelNode plan) {
        return plan.getRowType().getFieldCount();
    }

    private static List<Integer> range(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }
}
