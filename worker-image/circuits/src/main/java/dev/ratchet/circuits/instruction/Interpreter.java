/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.instruction;

import dev.ratchet.circuits.builder.CircuitBuilder;
import dev.ratchet.circuits.builder.OpenRecursion;
import dev.ratchet.circuits.builder.Stream;
import dev.ratchet.circuits.circuit.Plan;
import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.expression.ExpressionCompiler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Builds a circuit of instructions: the one way from a program to its plan. One use by one thread. */
public final class Interpreter {

    private final CircuitBuilder builder = new CircuitBuilder();
    private final ExpressionCompiler compiler;
    private final List<Stream> streams = new ArrayList<>();
    private final Deque<OpenRecursion> recursions = new ArrayDeque<>();

    /** @param functions sees the classes of all functions that the program calls */
    public Interpreter(ClassLoader functions) {
        this.compiler = new ExpressionCompiler(functions);
    }

    /**
     * Carries out what comes next.
     *
     * @return the streams that it makes
     * @throws IllegalArgumentException where the builder refuses it, or it names a stream that is not there
     */
    public List<Stream> apply(Instruction instruction) {
        List<Stream> made =
                switch (instruction) {
                    case Instruction.At at -> at(at);
                    case Instruction.Recursion recursion -> begin(recursion);
                    case Instruction.Close close -> end(close);
                    case Instruction.View view -> {
                        builder.viewByKey(view.name(), stream(view.input()), view.key());
                        yield List.of();
                    }
                    default -> List.of(one(instruction));
                };
        streams.addAll(made);
        return made;
    }

    /** What has been said, which can not be changed any more. */
    public Plan plan() {
        return builder.build();
    }

    private Stream stream(int number) {
        if (number < 0 || number >= streams.size()) {
            throw new IllegalArgumentException(
                    "An instruction reads stream " + number + " where there are " + streams.size());
        }
        return streams.get(number);
    }

    private List<Stream> at(Instruction.At at) {
        compiler.at(at.query());
        builder.at(at.calls().isEmpty() ? at.query() : at.calls());
        return List.of();
    }

    private List<Stream> begin(Instruction.Recursion recursion) {
        int outer = recursion.outer();
        OpenRecursion open = outer == Instruction.NO_STREAM
                ? builder.open(recursion.name(), recursion.variables())
                : builder.openInside(stream(outer), recursion.name(), recursion.variables());
        recursions.push(open);
        return open.variables();
    }

    private List<Stream> end(Instruction.Close close) {
        if (recursions.isEmpty()) {
            throw new IllegalArgumentException("An instruction ends a recursion where none has begun");
        }
        return recursions.pop().close(close.derived().stream().map(this::stream).toList());
    }

    private Stream one(Instruction instruction) {
        return switch (instruction) {
            case Instruction.Table table -> builder.table(table.name(), table.columns(), table.options());
            case Instruction.Constant constant -> builder.constant(constant.columns(), constant.rows());
            case Instruction.Filter filter -> stream(filter.input()).filter(compiler.filter(filter.condition()));
            case Instruction.Compute compute ->
                stream(compute.input()).map(compute.types(), compiler.mapper(compute.values(), compute.types()));
            case Instruction.Project project -> stream(project.input()).project(project.columns());
            case Instruction.Widen widen -> stream(widen.input()).as(widen.types());
            case Instruction.Distinct distinct -> stream(distinct.input()).distinct();
            case Instruction.Combine combine -> combined(combine);
            case Instruction.Join join -> joined(join);
            case Instruction.AsOf asOf ->
                stream(asOf.input())
                        .asOf(
                                stream(asOf.other()),
                                asOf.kind(),
                                asOf.keys(),
                                asOf.otherKeys(),
                                asOf.time(),
                                asOf.otherTime());
            default -> ofGroups(instruction);
        };
    }

    private Stream combined(Instruction.Combine combine) {
        Stream one = stream(combine.input());
        Stream other = stream(combine.other());
        return switch (combine.how()) {
            case UNION_ALL -> one.plus(other);
            case EXCEPT -> one.except(other);
            case EXCEPT_ALL -> one.exceptAll(other);
            case INTERSECT -> one.intersect(other);
            case INTERSECT_ALL -> one.intersectAll(other);
        };
    }

    private Stream joined(Instruction.Join join) {
        Expression condition = join.condition();
        return stream(join.input())
                .join(
                        stream(join.other()),
                        join.kind(),
                        join.keys(),
                        join.otherKeys(),
                        condition == null ? null : compiler.filter(condition));
    }

    private Stream ofGroups(Instruction instruction) {
        return switch (instruction) {
            case Instruction.Aggregate aggregate ->
                stream(aggregate.input()).aggregate(aggregate.group(), aggregate.calls());
            case Instruction.First first ->
                stream(first.input()).topK(first.group(), first.order(), first.spec(), first.rankType());
            case Instruction.Extremes extremes ->
                stream(extremes.input()).extremes(extremes.group(), extremes.column(), extremes.largest());
            case Instruction.Window window ->
                stream(window.input()).window(window.group(), window.order(), window.calls());
            case Instruction.Sessions sessions ->
                stream(sessions.input()).sessions(sessions.group(), sessions.time(), sessions.gap());
            case Instruction.Hop hop -> stream(hop.input()).hop(hop.time(), hop.slide(), hop.size(), hop.offset());
            case Instruction.Unnest unnest -> unnested(unnest);
            default -> throw new IllegalArgumentException("No stream is made by " + instruction);
        };
    }

    private Stream unnested(Instruction.Unnest unnest) {
        Stream input = stream(unnest.input());
        CollectionItems items = new CollectionItems(
                input.columns(), unnest.kept(), unnest.types(), unnest.ordinality(), unnest.keepsEmpty());
        return input.flatMap(unnest.types(), items);
    }
}
