/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.instruction;

import dev.ratchet.circuits.builder.JoinKind;
import dev.ratchet.circuits.builder.Stream;
import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.instruction.Instruction.Combination;
import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.operator.SortColumn;
import dev.ratchet.circuits.operator.TopK;
import dev.ratchet.circuits.operator.WindowCall;
import dev.ratchet.circuits.type.ColumnType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link Stream} whose instruction is written down, with the methods of the same names. */
public final class WrittenStream {

    private final InstructionWriter writer;
    private final int number;
    private final Stream stream;

    WrittenStream(InstructionWriter writer, int number, Stream stream) {
        this.writer = writer;
        this.number = number;
        this.stream = stream;
    }

    int number() {
        return number;
    }

    public List<ColumnType> columns() {
        return stream.columns();
    }

    public boolean isInsideRecursion() {
        return stream.isInsideRecursion();
    }

    public boolean keepsExtremes(List<Integer> group, int column, boolean largest) {
        return stream.keepsExtremes(group, column, largest);
    }

    public WrittenStream filter(Expression condition) {
        return writer.one(new Instruction.Filter(number, condition));
    }

    /** One row of expressions for each row; the types are those of the expressions but for NULL. */
    public WrittenStream map(List<Expression> values, List<ColumnType> types) {
        return writer.one(new Instruction.Compute(number, values, types));
    }

    public WrittenStream project(List<Integer> columns) {
        return writer.one(new Instruction.Project(number, columns));
    }

    public WrittenStream as(List<ColumnType> types) {
        return writer.one(new Instruction.Widen(number, types));
    }

    public WrittenStream distinct() {
        return writer.one(new Instruction.Distinct(number));
    }

    public WrittenStream combine(Combination how, WrittenStream other) {
        return writer.one(new Instruction.Combine(how, number, other.number));
    }

    public WrittenStream join(
            WrittenStream other,
            JoinKind kind,
            List<Integer> keys,
            List<Integer> otherKeys,
            @Nullable Expression condition) {
        return writer.one(new Instruction.Join(number, other.number, kind, keys, otherKeys, condition));
    }

    public WrittenStream asOf(
            WrittenStream other, JoinKind kind, List<Integer> keys, List<Integer> otherKeys, int time, int otherTime) {
        return writer.one(new Instruction.AsOf(number, other.number, kind, keys, otherKeys, time, otherTime));
    }

    public WrittenStream aggregate(List<Integer> group, List<AggregateCall> calls) {
        return writer.one(new Instruction.Aggregate(number, group, calls));
    }

    public WrittenStream topK(List<Integer> group, List<SortColumn> order, TopK.Spec spec, ColumnType rankType) {
        return writer.one(new Instruction.First(number, group, order, spec, rankType));
    }

    public WrittenStream extremes(List<Integer> group, int column, boolean largest) {
        return writer.one(new Instruction.Extremes(number, group, column, largest));
    }

    public WrittenStream window(List<Integer> group, List<SortColumn> order, List<WindowCall> calls) {
        return writer.one(new Instruction.Window(number, group, order, calls));
    }

    public WrittenStream sessions(List<Integer> group, int time, long gap) {
        return writer.one(new Instruction.Sessions(number, group, time, gap));
    }

    public WrittenStream hop(int time, long slide, long size, long offset) {
        return writer.one(new Instruction.Hop(number, time, slide, size, offset));
    }

    /** As {@link Instruction.Unnest}. */
    public WrittenStream unnest(int kept, List<ColumnType> types, boolean ordinality, boolean keepsEmpty) {
        return writer.one(new Instruction.Unnest(number, kept, types, ordinality, keepsEmpty));
    }
}
