/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.type.RowSchema;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One operator of a plan: what it is, what it reads and how it is made in each worker thread. Immutable once its plan
 * is built.
 */
public final class Node {

    /** Makes the operator of a node in a worker thread. */
    @FunctionalInterface
    public interface Factory {

        /**
         * Makes the operator.
         *
         * @param inputs the operators of the node's inputs, in their order
         */
        Operator create(WorkerThreadContext context, List<Operator> inputs);
    }

    /** What whoever made a node needs to know of it while the plan is built. */
    public interface Detail {}

    private final RowSchema schema;
    private String kind;
    private String description;
    private Supplier<String> text;
    private List<Node> inputs;
    private Factory factory;
    private @Nullable Detail detail;
    private String place = "";
    private final @Nullable Recursion recursion;
    private boolean afterBarrier;
    private boolean checked;
    private boolean everyStep;
    private boolean placing;
    private boolean unnamed;
    private @Nullable RowSchema namedBy;
    private boolean failing;
    private boolean keepsState;
    private List<Node> behind = List.of();
    private List<List<Integer>> placements = List.of();
    private int number = -1;

    /**
     * A node that is no recursion.
     *
     * @param kind one word for what it does
     * @param description the rest that tells it from others of its kind: columns, expressions; equal programs have
     *     equal descriptions
     * @param schema of its output
     */
    public Node(String kind, String description, List<Node> inputs, RowSchema schema, Factory factory) {
        this(kind, description, inputs, schema, factory, null);
    }

    Node(
            String kind,
            String description,
            List<Node> inputs,
            RowSchema schema,
            Factory factory,
            @Nullable Recursion recursion) {
        this.kind = kind;
        this.description = description;
        this.text = () -> description;
        this.inputs = List.copyOf(inputs);
        this.schema = schema;
        this.factory = factory;
        this.recursion = recursion;
    }

    /** What is to be known of the node; null for nothing. */
    public @Nullable Detail detail() {
        return detail;
    }

    /** Keeps what is to be known of the node. */
    public Node withDetail(Detail known) {
        detail = known;
        return this;
    }

    /** Makes this node what another of the same schema is, so that all who read it read that; before it has a plan. */
    public void become(Node other) {
        if (number >= 0 || !schema.equals(other.schema)) {
            throw new IllegalStateException("A node of " + schema + " can not become one of " + other.schema
                    + (number >= 0 ? " in a plan that is built" : ""));
        }
        kind = other.kind;
        description = other.description;
        text = other.text;
        inputs = other.inputs;
        factory = other.factory;
        detail = other.detail;
        failing = other.failing;
        keepsState = other.keepsState;
    }

    public String kind() {
        return kind;
    }

    /** What tells it from others of its kind: part of its id, and so as it is for good. */
    public String description() {
        return description;
    }

    /** What it does, for people: as SQL, columns by their numbers. No id depends on it. */
    public String text() {
        return text.get();
    }

    /** Says what {@link #text} is, once the program is complete; it is the description otherwise. */
    public Node shownAs(Supplier<String> shown) {
        text = shown;
        return this;
    }

    /**
     * Where the program has what the node computes, such as {@code query at line 3, column 18}; empty where unknown.
     */
    String place() {
        return place;
    }

    /** Says {@link #place}, for people. No id depends on it. */
    public Node at(String placeInProgram) {
        place = placeInProgram;
        return this;
    }

    public List<Node> inputs() {
        return inputs;
    }

    /** What it runs behind, though it does not read what these give. No id depends on it. */
    List<Node> behind() {
        return behind;
    }

    /** Says {@link #behind}. */
    Node behind(List<Node> nodes) {
        behind = List.copyOf(nodes);
        return this;
    }

    public RowSchema schema() {
        return schema;
    }

    Factory factory() {
        return factory;
    }

    /** What is iterated inside of the node; null for all but recursions. */
    public @Nullable Recursion recursion() {
        return recursion;
    }

    /** Whether it reads what other worker threads left, so that all worker threads must have done what is before it. */
    boolean isAfterBarrier() {
        return afterBarrier;
    }

    Node afterBarrier() {
        afterBarrier = true;
        return this;
    }

    /**
     * Columns, each time in this order, by whose hash its rows lie: each row in the worker thread that owns the hash.
     * Several where columns are equal in all rows; none where rows lie wherever they were computed.
     */
    public List<List<Integer>> placements() {
        return placements;
    }

    /** Says {@link #placements}. */
    public Node placedBy(List<List<Integer>> columns) {
        placements = List.copyOf(columns);
        return this;
    }

    /**
     * Whether it only brings rows to where a view keeps them. In one process, which puts all of them out, it is left
     * out, and it makes no difference to ids.
     */
    boolean isPlacing() {
        return placing;
    }

    /** The node whose rows it brings to where a view keeps them; itself where it is no such node. */
    Node beforePlacing() {
        return placing ? inputs.get(0).beforePlacing() : this;
    }

    Node placing() {
        placing = true;
        return unnamed();
    }

    /** Whether it makes no difference to ids, so that a program without it has the same. */
    boolean isUnnamed() {
        return unnamed;
    }

    /** Lets it make no difference to ids. Its state would have no stable name. */
    public Node unnamed() {
        unnamed = true;
        return this;
    }

    /** Itself, or the node before it whose id stands for it. */
    Node named() {
        return unnamed ? inputs.get(0).named() : this;
    }

    /** The schema that its id tells. */
    RowSchema nameSchema() {
        RowSchema other = namedBy;
        return other == null ? schema : other;
    }

    /** Lets its id tell another schema than its own: that of rows for which its own stand. */
    public Node namedBy(RowSchema rows) {
        namedBy = rows;
        return this;
    }

    /** Whether there may be rows that it can not compute, itself or inside of it; only then it may say so. */
    boolean isFailing() {
        return failing || (recursion != null && recursion.nodes().stream().anyMatch(Node::isFailing));
    }

    /** Lets the operator leave errors in place of rows, by {@link Operator#fail}. */
    public Node failing() {
        failing = true;
        return this;
    }

    /** Whether its operator remembers rows from step to step, in traces. */
    public boolean isKeepingState() {
        return keepsState;
    }

    /** Lets the operator remember rows, see {@link WorkerThreadContext#trace}. */
    public Node keepsState() {
        keepsState = true;
        return this;
    }

    /** Whether it may have work in a step in which nothing it reads has changed. */
    boolean isEveryStep() {
        return everyStep;
    }

    /** Lets the operator be asked in every step whether it has work. */
    public Node everyStep() {
        everyStep = true;
        return this;
    }

    /** Whether it may reject a step by {@link Operator#check}. */
    public boolean isChecked() {
        return checked;
    }

    /** Lets the operator look at its inputs before anything of the step is applied. */
    public Node checked() {
        checked = true;
        return this;
    }

    /** The place of the node among all of its plan, those inside of recursions included. */
    public int number() {
        return number;
    }

    void number(int value) {
        if (number >= 0) {
            throw new IllegalStateException(kind + " is already part of a plan; a node belongs to one");
        }
        number = value;
    }
}
