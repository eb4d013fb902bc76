/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rex.RexInputRef;

/**
 * Which columns of a plan may hold NULL: those of a type with NULL that no condition below excludes. Types alone do not
 * tell, as {@code WHERE a IS NOT NULL} leaves them as they are. Stateless.
 */
final class NullColumns {

    private NullColumns() {}

    static boolean mayBeNull(RelNode plan, int column) {
        if (!plan.getRowType().getFieldList().get(column).getType().isNullable()) {
            return false;
        }
        if (plan instanceof Union union) {
            return union.getInputs().stream().anyMatch(input -> mayBeNull(input, column));
        }
        if (plan instanceof Project project && project.getProjects().get(column) instanceof RexInputRef from) {
            return mayBeNull(project.getInput(), from.getIndex());
        }
        return !plan.getCluster()
                .getMetadataQuery()
                .getPulledUpPredicates(plan)
                .isEffectivelyNotNull(RexInputRef.of(column, plan.getRowType()));
    }
}
