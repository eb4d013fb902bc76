/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.instruction.Instruction.Combination;
import dev.ratchet.circuits.instruction.InstructionWriter;
import dev.ratchet.circuits.instruction.WrittenStream;
import dev.ratchet.circuits.type.ColumnType;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/** WITH RECURSIVE: one relation, the least set that its first part and its second derive. */
final class RecursionTranslator {

    private final PlanTranslator plans;
    private final InstructionWriter writer;

    RecursionTranslator(PlanTranslator plans, InstructionWriter writer) {
        this.plans = plans;
        this.writer = writer;
    }

    WrittenStream translate(RepeatUnion union) {
        if (union.all) {
            throw new UnsupportedSqlException(
                    "UNION ALL",
                    "UNION ALL in WITH RECURSIVE counts every way to a row, which may be endless; write UNION");
        }
        String name = name(union);
        String key = name.toLowerCase(Locale.ROOT);
        Stratification.check(union.getIterativeRel(), Set.of(key));
        List<ColumnType> types = PlanTranslator.types(union.getRowType());
        UnaryOperator<List<WrittenStream>> body = variables -> plans.within(() -> {
            plans.define(name, variables.get(0));
            return List.of(plans.translate(union.getSeedRel(), types)
                    .combine(Combination.UNION_ALL, plans.translate(union.getIterativeRel(), types)));
        });
        WrittenStream outer = readsRecursion(union, Set.of());
        List<List<ColumnType>> variables = List.of(types);
        return writer.recursive(outer, name, variables, body).getFirst();
    }

    private static String name(RepeatUnion union) {
        return union.getTransientTable() == null
                ? ""
                : Util.last(union.getTransientTable().getQualifiedName());
    }

    /** A stream of a recursion around a plan that the plan reads; the names are of recursions that lie in it. */
    private @Nullable WrittenStream readsRecursion(RelNode plan, Set<String> own) {
        if (plan instanceof TableScan scan) {
            String name = Util.last(scan.getTable().getQualifiedName());
            WrittenStream read = own.contains(name) ? null : plans.streamOf(name);
            return read != null && read.isInsideRecursion() ? read : null;
        }
        Set<String> inside = new HashSet<>(own);
        if (plan instanceof RepeatUnion union) {
            inside.add(name(union));
        }
        return plan.getInputs().stream()
                .map(input -> readsRecursion(input, inside))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }
}
