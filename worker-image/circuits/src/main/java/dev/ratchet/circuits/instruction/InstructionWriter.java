/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.instruction;

import dev.ratchet.circuits.builder.TableOptions;
import dev.ratchet.circuits.circuit.Plan;
import dev.ratchet.circuits.type.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes instructions down while they are carried out, because what is translated next may depend on what is known of
 * the streams before. One use by one thread.
 */
public final class InstructionWriter {

    private final Interpreter interpreter;
    private final List<Instruction> instructions = new ArrayList<>();
    private int streams;

    /** @param functions sees the classes of all functions that the program calls */
    public InstructionWriter(ClassLoader functions) {
        this.interpreter = new Interpreter(functions);
    }

    /** What was written. */
    public List<Instruction> instructions() {
        return List.copyOf(instructions);
    }

    /** The plan of what was written, which is all there is to be. */
    public Plan plan() {
        return interpreter.plan();
    }

    /** As {@link Instruction.At}. */
    public void at(String query, String calls) {
        add(new Instruction.At(query, calls));
    }

    public WrittenStream table(String name, List<ColumnType> columns, TableOptions options) {
        return one(new Instruction.Table(name, columns, options));
    }

    public WrittenStream constant(List<ColumnType> columns, List<List<@Nullable Object>> rows) {
        return one(new Instruction.Constant(columns, rows));
    }

    /**
     * A recursion, see {@link dev.ratchet.circuits.builder.CircuitBuilder#recursive}.
     *
     * @param outer a stream of the recursion around it; null for none
     */
    public List<WrittenStream> recursive(
            @Nullable WrittenStream outer,
            String name,
            List<List<ColumnType>> variables,
            UnaryOperator<List<WrittenStream>> body) {
        int around = outer == null ? Instruction.NO_STREAM : outer.number();
        List<WrittenStream> derived = body.apply(add(new Instruction.Recursion(name, variables, around)));
        return add(new Instruction.Close(
                derived.stream().map(WrittenStream::number).toList()));
    }

    /**
     * Puts a stream out as a view.
     *
     * @param key columns by which its changes are put out; empty for none
     */
    public void view(String name, WrittenStream stream, List<Integer> key) {
        add(new Instruction.View(name, stream.number(), key));
    }

    WrittenStream one(Instruction instruction) {
        return add(instruction).getFirst();
    }

    private List<WrittenStream> add(Instruction instruction) {
        List<WrittenStream> made = interpreter.apply(instruction).stream()
                .map(stream -> new WrittenStream(this, streams++, stream))
                .toList();
        instructions.add(instruction);
        return made;
    }
}
