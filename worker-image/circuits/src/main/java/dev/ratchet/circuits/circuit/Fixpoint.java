/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.List;

/**
 * The nodes around a recursion. Inside, every stream changes from iteration to iteration as well as from step to step,
 * and what operators pass on is the change of the change; so the sum over the iterations of a step is what the step
 * changed in the fixpoint.
 */
public final class Fixpoint {

    private static final RowSchema NOTHING = new RowSchema(List.of(), List.of());

    private Fixpoint() {}

    /** A stream from outside, which is the same in all iterations: its change belongs to the first (δ0). */
    public static Node imported(Node outside) {
        return new Node("import", "", List.of(outside), outside.schema(), Import::new);
    }

    /** What is derived recursively, as the iteration before left it; nothing in the first (z^-1). */
    public static Node variable(String name, RowSchema schema) {
        return new Node(
                "variable", name, List.of(), schema, (context, inputs) -> new Variable(context.iteration(), schema));
    }

    /** Hands what an iteration derived to the variable of the next. */
    public static Node feedback(Node variable, Node derived) {
        return new Node(
                "feedback",
                variable.description(),
                List.of(derived),
                derived.schema(),
                (context, inputs) -> new Feedback((Variable) context.operatorOf(variable), inputs));
    }

    /** The recursive node around nodes that begin with imports and variables and end with feedbacks. */
    public static Node recursive(Recursion recursion, List<Node> outside) {
        return new Node(
                "recursion", recursion.name(), outside, NOTHING, (context, inputs) -> new Around(inputs), recursion);
    }

    /** What the recursion changed in the fixpoint of a variable. */
    public static Node exported(Node recursive, Node feedback) {
        return new Node(
                "export", "", List.of(recursive, feedback), feedback.schema(), (context, inputs) -> new Export(inputs));
    }

    private static final class Import extends Operator {
        private final Iteration iteration;

        Import(WorkerThreadContext context, List<Operator> inputs) {
            super(inputs.get(0).schema(), inputs);
            this.iteration = context.iteration();
        }

        @Override
        protected boolean wanted() {
            return iteration.number() == 0 && super.wanted();
        }

        @Override
        protected void evaluate() {
            forward(input(0));
        }
    }

    private static final class Variable extends Operator {
        private final Iteration iteration;
        private Batch next;

        Variable(Iteration iteration, RowSchema schema) {
            super(schema, List.of());
            this.iteration = iteration;
            this.next = output();
        }

        @Override
        protected int nextIteration() {
            return next.isEmpty() ? Integer.MAX_VALUE : iteration.number() + 1;
        }

        @Override
        protected boolean wanted() {
            return !next.isEmpty();
        }

        @Override
        protected void evaluate() {
            Batch now = next;
            clear();
            next = output();
            emit(now);
        }
    }

    private static final class Feedback extends Operator {
        private final Variable variable;
        private final List<Batch> derived = new ArrayList<>();

        Feedback(Variable variable, List<Operator> inputs) {
            super(inputs.get(0).schema(), inputs);
            this.variable = variable;
        }

        @Override
        protected void evaluate() {
            Batch change = input(0).output();
            derived.add(change);
            variable.next = change;
            emit(change);
        }

        Batch take() {
            Batch sum = BatchMerge.merge(schema(), derived);
            derived.clear();
            return sum;
        }
    }

    private static final class Around extends Operator {
        Around(List<Operator> inputs) {
            super(NOTHING, inputs);
        }

        @Override
        protected void evaluate() {
            throw new IllegalStateException("A recursion is run by its circuit, iteration by iteration");
        }
    }

    private static final class Export extends Operator {
        private final Feedback feedback;

        Export(List<Operator> inputs) {
            super(inputs.get(1).schema(), inputs);
            this.feedback = (Feedback) inputs.get(1);
        }

        @Override
        protected boolean wanted() {
            return !feedback.derived.isEmpty();
        }

        @Override
        protected void evaluate() {
            emit(feedback.take());
        }
    }
}
