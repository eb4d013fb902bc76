/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalTableFunctionScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql2rel.RelFieldTrimmer;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.calcite.util.mapping.Mapping;
import org.apache.calcite.util.mapping.MappingType;
import org.apache.calcite.util.mapping.Mappings;

/**
 * Takes away columns that nobody reads, as Calcite does, and also below the functions of time windows, where Calcite
 * keeps all: they hand the columns of their input on and read only those that they are called with. The columns that a
 * function adds stay. Public, as are its methods, because Calcite finds them by reflection.
 */
public final class FieldTrimmer extends RelFieldTrimmer {

    FieldTrimmer(RelBuilder builder) {
        super(null, builder);
    }

    @Override
    public TrimResult trimFields(
            LogicalTableFunctionScan scan, ImmutableBitSet used, Set<RelDataTypeField> extraFields) {
        if (scan.getInputs().size() != 1) {
            return super.trimFields(scan, used, extraFields);
        }
        RelNode input = scan.getInput(0);
        int inputFields = input.getRowType().getFieldCount();
        ImmutableBitSet read =
                used.intersect(ImmutableBitSet.range(inputFields)).union(RelOptUtil.InputFinder.bits(scan.getCall()));
        TrimResult trimmed = trimChild(scan, input, read, Set.of());
        List<RelDataTypeField> fields = scan.getRowType().getFieldList();
        int added = fields.size() - inputFields;
        int kept = trimmed.left.getRowType().getFieldCount();
        Mapping mapping = Mappings.create(MappingType.INVERSE_SURJECTION, fields.size(), kept + added);
        trimmed.right.forEach(pair -> mapping.set(pair.source, pair.target));
        for (int i = 0; i < added; i++) {
            mapping.set(inputFields + i, kept + i);
        }
        RelDataType rowType = scan.getCluster()
                .getTypeFactory()
                .builder()
                .addAll(trimmed.left.getRowType().getFieldList())
                .addAll(fields.subList(inputFields, fields.size()))
                .build();
        LogicalTableFunctionScan narrower = LogicalTableFunctionScan.create(
                scan.getCluster(),
                List.of(trimmed.left),
                RexUtil.apply(trimmed.right, scan.getCall()),
                scan.getElementType(),
                rowType,
                Set.of());
        return result(narrower, mapping);
    }
}
