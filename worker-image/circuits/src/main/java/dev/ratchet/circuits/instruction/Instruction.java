/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.instruction;

import dev.ratchet.circuits.builder.JoinKind;
import dev.ratchet.circuits.builder.TableOptions;
import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.operator.SortColumn;
import dev.ratchet.circuits.operator.TopK;
import dev.ratchet.circuits.operator.WindowCall;
import dev.ratchet.circuits.type.ColumnType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call of the builder of circuits. Streams are numbered from 0 in the order in which instructions make them;
 * {@code input} and {@code other} are such numbers. Each makes one stream unless it says otherwise. The names of these
 * records and of their components are recorded: one that is there keeps its name and its meaning, one that is added may
 * be left out by older programs, and then is 0, false, null or empty.
 */
public sealed interface Instruction {

    int NO_STREAM = -1;

    /**
     * Where the text of the program has what the instructions that follow compute. Makes no stream.
     *
     * @param query such as {@code query at line 3, column 18}; empty where that is not known
     * @param calls of aggregates within the query; empty for the query itself
     */
    record At(String query, String calls) implements Instruction {}

    /** A table. */
    record Table(String name, List<ColumnType> columns, TableOptions options) implements Instruction {}

    /** Rows that are there from the first step on, as by {@link dev.ratchet.circuits.type.ObjectValues}. */
    record Constant(List<ColumnType> columns, List<List<@Nullable Object>> rows) implements Instruction {}

    /** The rows of which a condition is true. */
    record Filter(int input, Expression condition) implements Instruction {}

    /** One row of expressions for each row; the types are those of the expressions but for NULL. */
    record Compute(int input, List<Expression> values, List<ColumnType> types) implements Instruction {}

    /** Some columns, in any order, also twice. */
    record Project(int input, List<Integer> columns) implements Instruction {}

    /** The same rows with types that also hold NULL where these do. */
    record Widen(int input, List<ColumnType> types) implements Instruction {}

    /** Each row once. */
    record Distinct(int input) implements Instruction {}

    /** Rows of two streams. */
    record Combine(Combination how, int input, int other) implements Instruction {}

    /** What two streams of the same columns can be combined to. */
    enum Combination {
        UNION_ALL,
        EXCEPT,
        EXCEPT_ALL,
        INTERSECT,
        INTERSECT_ALL
    }

    /** Pairs of rows, see {@link dev.ratchet.circuits.builder.Stream#join}. */
    record Join(
            int input,
            int other,
            JoinKind kind,
            List<Integer> keys,
            List<Integer> otherKeys,
            @Nullable Expression condition)
            implements Instruction {}

    /** See {@link dev.ratchet.circuits.builder.Stream#asOf}. */
    record AsOf(
            int input, int other, JoinKind kind, List<Integer> keys, List<Integer> otherKeys, int time, int otherTime)
            implements Instruction {}

    /** One row per group. */
    record Aggregate(int input, List<Integer> group, List<AggregateCall> calls) implements Instruction {}

    /** The first rows of each group, see {@link dev.ratchet.circuits.builder.Stream#topK}. */
    record First(int input, List<Integer> group, List<SortColumn> order, TopK.Spec spec, ColumnType rankType)
            implements Instruction {}

    /** The rows with the largest, or smallest, value of their group in a column. */
    record Extremes(int input, List<Integer> group, int column, boolean largest) implements Instruction {}

    /** Each row with what it can see of its group in an order. */
    record Window(int input, List<Integer> group, List<SortColumn> order, List<WindowCall> calls)
            implements Instruction {}

    /** Each row with start and end of its session. */
    record Sessions(int input, List<Integer> group, int time, long gap) implements Instruction {}

    /** Each row with start and end of each window that it lies in. */
    record Hop(int input, int time, long slide, long size, long offset) implements Instruction {}

    /**
     * The first columns of each row once for each item of the collections in the others, see {@link CollectionItems}.
     *
     * @param types of the result
     */
    record Unnest(int input, int kept, List<ColumnType> types, boolean ordinality, boolean keepsEmpty)
            implements Instruction {}

    /**
     * Begins a recursion, of which the instructions up to its {@link Close} are the body. Makes its variables.
     *
     * @param outer a stream of the recursion around it, whose variables these become; {@link #NO_STREAM} for none
     */
    record Recursion(String name, List<List<ColumnType>> variables, int outer) implements Instruction {}

    /** Ends the recursion that was begun last, of whose variables these are derived. Makes their fixpoints. */
    record Close(List<Integer> derived) implements Instruction {}

    /** Makes a stream readable under a name; without a key the list is empty. Makes no stream. */
    record View(String name, int input, List<Integer> key) implements Instruction {}
}
