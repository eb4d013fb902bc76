/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.builder.Stream;
import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.operator.RowExpander;
import dev.ratchet.circuits.operator.RowOutput;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.ShownSql;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.jspecify.annotations.Nullable;

/** UNNEST of arrays and maps: one row for each item, with the row that the array comes from or alone. */
final class UnnestTranslator {

    private final PlanTranslator plans;
    private final RexTranslator expressions;

    UnnestTranslator(PlanTranslator plans, RexTranslator expressions) {
        this.plans = plans;
        this.expressions = expressions;
    }

    /** Rows with the items of their own arrays. */
    Stream translate(Correlate correlate) {
        RelNode right = correlate.getRight();
        List<RexNode> above = List.of();
        if (right instanceof Project project && project.getInput() instanceof Uncollect) {
            above = project.getProjects();
            right = project.getInput();
        }
        boolean known = right instanceof Uncollect
                && above.stream().allMatch(RexInputRef.class::isInstance)
                && (correlate.getJoinType() == JoinRelType.INNER || correlate.getJoinType() == JoinRelType.LEFT);
        if (!known || !(right instanceof Uncollect uncollect) || !(uncollect.getInput() instanceof Project arrays)) {
            throw new UnsupportedSqlException(
                    "", "A subquery that reads columns from outside where no join can say the same; write a join");
        }
        Stream left = plans.translate(correlate.getLeft());
        List<Expression> collections = new ArrayList<>();
        for (RexNode array : arrays.getProjects()) {
            collections.add(expressions.translate(array.accept(new RexShuttle() {
                @Override
                public RexNode visitFieldAccess(RexFieldAccess access) {
                    return access.getReferenceExpr() instanceof RexCorrelVariable
                            ? correlate
                                    .getCluster()
                                    .getRexBuilder()
                                    .makeInputRef(
                                            access.getType(), access.getField().getIndex())
                            : super.visitFieldAccess(access);
                }
            })));
        }
        boolean keepsEmpty = correlate.getJoinType() == JoinRelType.LEFT;
        int own = left.columns().size();
        Stream all = unnest(left, own, collections, uncollect, keepsEmpty);
        if (above.isEmpty()) {
            return all;
        }
        List<Integer> kept = new ArrayList<>();
        for (int i = 0; i < own; i++) {
            kept.add(i);
        }
        above.forEach(node -> kept.add(own + ((RexInputRef) node).getIndex()));
        return all.project(kept);
    }

    /** The items of arrays alone. */
    Stream translate(Uncollect uncollect) {
        Stream input = plans.translate(uncollect.getInput());
        return unnest(input, 0, PlanTranslator.columns(input), uncollect, false);
    }

    private Stream unnest(
            Stream input, int kept, List<Expression> collections, Uncollect uncollect, boolean keepsEmpty) {
        List<Expression> columns = new ArrayList<>(PlanTranslator.columns(input).subList(0, kept));
        columns.addAll(collections);
        List<ColumnType> types = columns.stream().map(Expression::type).toList();
        List<ColumnType> result = new ArrayList<>(types.subList(0, kept));
        result.addAll(PlanTranslator.types(uncollect.getRowType()));
        Items items = new Items(types, kept, result, uncollect.withOrdinality, keepsEmpty);
        return plans.map(input, columns, types).flatMap(result, items);
    }

    /** Collections side by side: the n-th items of all, NULL where one is shorter. */
    private record Items(
            List<ColumnType> input, int kept, List<ColumnType> result, boolean ordinality, boolean keepsEmpty)
            implements RowExpander {

        @Override
        public void expand(RowView row, RowOutput out) {
            List<List<?>> collections = new ArrayList<>();
            int rows = 0;
            for (int i = kept; i < input.size(); i++) {
                List<?> items = items(ObjectValues.read(input.get(i), row, i));
                collections.add(items);
                rows = Math.max(rows, items.size());
            }
            for (int number = 0; number < (rows == 0 && keepsEmpty ? 1 : rows); number++) {
                for (int column = 0; column < kept; column++) {
                    out.copy(column, input.get(column).storage(), row, column);
                }
                int at = kept;
                for (int i = 0; i < collections.size(); i++) {
                    List<?> items = collections.get(i);
                    at = emit(input.get(kept + i), number < items.size() ? items.get(number) : null, out, at);
                }
                if (ordinality) {
                    ObjectValues.write(result.get(at), rows == 0 ? null : (Object) (number + 1L), out, at);
                }
                out.emit();
            }
        }

        private int emit(ColumnType collection, @Nullable Object item, RowOutput out, int start) {
            int at = start;
            boolean isMap = collection.kind() == TypeKind.MAP;
            ColumnType element = collection.fields().get(0).type();
            int width = isMap
                    ? 2
                    : element.kind() == TypeKind.STRUCT ? element.fields().size() : 1;
            for (int i = 0; i < width; i++) {
                boolean whole = width == 1 && element.kind() != TypeKind.STRUCT && !isMap;
                Object part = whole || item == null ? item : ((List<?>) item).get(i);
                ObjectValues.write(result.get(at), part, out, at);
                at++;
            }
            return at;
        }

        private static List<?> items(@Nullable Object collection) {
            if (collection instanceof Map<?, ?> map) {
                List<List<?>> entries = new ArrayList<>();
                map.forEach((key, value) -> entries.add(Arrays.asList(key, value)));
                return entries;
            }
            return collection instanceof List<?> list ? list : List.of();
        }

        @Override
        public String text() {
            List<Integer> collections =
                    IntStream.range(kept, input.size()).boxed().toList();
            return (keepsEmpty ? "LEFT UNNEST(" : "UNNEST(") + ShownSql.columns(collections) + ")"
                    + (ordinality ? " WITH ORDINALITY" : "");
        }

        @Override
        public String description() {
            return "items of " + input + " behind " + kept + (ordinality ? " numbered" : "")
                    + (keepsEmpty ? " or none" : "");
        }
    }
}
