/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.HashRanges;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.RowSchema;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One of the shares of a circuit, numbered through all its processes: an operator for each node of the plan, with the
 * state of the keys that this share owns, and what they measured. It has a thread of its own, except in steps of few
 * rows, where the caller's thread runs all shares one after the other; one thread at a time.
 */
final class WorkerThread implements WorkerThreadContext {

    private final int number;
    private final Sharding sharding;
    private final Mail mail;
    private final Plan plan;
    private final Watermarks watermarks;
    private final Map<Node, Object> shared;
    private final OperatorState state;
    private final boolean keepsViews;
    private final CacheShares cache;
    private final LongSupplier nanos;
    private final @Nullable Operator[] operators;
    private final OperatorMeter[] meters;
    private final List<Operator> dirty = new ArrayList<>();
    private final StepErrors errors = new StepErrors();
    private Iteration iteration = new Iteration();
    private @Nullable Node creating;
    private boolean nested;
    private final Map<Node, List<Trace>> traces = new HashMap<>();
    private final Map<Node, Iteration> iterations = new HashMap<>();

    WorkerThread(
            int number,
            Sharding sharding,
            Mail mail,
            Plan plan,
            Watermarks watermarks,
            Map<Node, Object> shared,
            CircuitOptions options,
            CacheShares cache) {
        this.number = number;
        this.sharding = sharding;
        this.mail = mail;
        this.plan = plan;
        this.watermarks = watermarks;
        this.shared = shared;
        this.state = options.state();
        this.keepsViews = options.keepsViews();
        this.cache = cache;
        this.nanos = options.nanos();
        this.operators = new Operator[plan.nodeCount()];
        this.meters = new OperatorMeter[operators.length];
        for (int i = 0; i < meters.length; i++) {
            meters[i] = new OperatorMeter();
        }
        create(plan.nodes());
        create(plan.ofErrors());
    }

    private void create(List<Node> nodes) {
        for (Node node : nodes) {
            Recursion recursion = node.recursion();
            if (recursion != null) {
                Iteration outside = iteration;
                iteration = new Iteration();
                iterations.put(node, iteration);
                nested = true;
                create(recursion.nodes());
                nested = false;
                iteration = outside;
            }
            if (isLeftOut(node)) {
                operators[node.number()] = operatorOf(node.inputs().get(0));
                continue;
            }
            creating = node;
            List<Operator> inputs = node.inputs().stream().map(this::operatorOf).toList();
            Operator operator = node.factory().create(this, inputs);
            operator.reportTo(node, errors);
            operators[node.number()] = operator;
        }
    }

    private boolean isLeftOut(Node node) {
        return node.isPlacing() && sharding.processes() == 1;
    }

    @Override
    public Operator operatorOf(Node node) {
        Operator operator = operators[node.number()];
        if (operator == null) {
            throw new IllegalStateException(
                    node.kind() + " is used before it is made; its inputs come first in a plan");
        }
        return operator;
    }

    List<Trace> tracesOf(Node node) {
        return traces.getOrDefault(node, List.of());
    }

    long seeksOf(Node node) {
        return isLeftOut(node) ? 0 : operatorOf(node).seeks();
    }

    OperatorMeter meterOf(Node node) {
        return meters[node.number()];
    }

    void start() {
        plan.nodes(sharding.processes()).forEach(node -> operatorOf(node).start());
    }

    void check(List<Node> nodes) {
        for (Node node : nodes) {
            operatorOf(node).check();
        }
    }

    void run(List<Node> nodes, @Nullable BitSet active) {
        for (Node node : nodes) {
            if (active == null || active.get(node.number())) {
                Operator operator = operatorOf(node);
                if (operator.wanted()) {
                    long begin = nanos.getAsLong();
                    if (active != null) {
                        dirty.add(operator);
                    }
                    evaluate(operator, node);
                    meters[node.number()].add(operator, nanos.getAsLong() - begin);
                }
            }
        }
    }

    private void evaluate(Operator operator, Node node) {
        try {
            operator.evaluate();
        } catch (ArithmeticException e) {
            throw new StepFailedException(node, plan.viewsOf(node), e);
        } catch (PeersLostException | StepRejectedException | StepFailedException | UncheckedIOException e) {
            throw e;
        } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
            throw new OperatorFailedException(node, plan.viewsOf(node), e);
        }
    }

    /** What could not be computed in this step, until it is on its way to its owner. */
    StepErrors errors() {
        return errors;
    }

    /** Forgets the outputs of the last step. */
    void clear() {
        errors.clear();
        dirty.forEach(Operator::clear);
        dirty.clear();
    }

    void beginIteration(Node recursive, Recursion recursion, int value) {
        clear(recursion);
        iterationOf(recursive).set(value);
    }

    private void clear(Recursion recursion) {
        for (Node node : recursion.nodes()) {
            operatorOf(node).clear();
        }
    }

    private Iteration iterationOf(Node recursive) {
        Iteration of = iterations.get(recursive);
        if (of == null) {
            throw new IllegalArgumentException(recursive.kind() + " is no recursion of this plan");
        }
        return of;
    }

    int nextIteration(Recursion recursion) {
        int next = Integer.MAX_VALUE;
        for (Node node : recursion.nodes()) {
            next = Math.min(next, operatorOf(node).nextIteration());
        }
        return next;
    }

    void endIterations(Node recursive, Recursion recursion) {
        for (Node node : recursion.nodes()) {
            operatorOf(node).endStep();
        }
        clear(recursion);
        iterationOf(recursive).set(0);
    }

    @Override
    public int workerThread() {
        return number;
    }

    @Override
    public int workerThreads() {
        return sharding.threads();
    }

    @Override
    public HashRanges ranges() {
        return sharding.map().ranges(number);
    }

    /** Who owns which hashes. */
    Sharding sharding() {
        return sharding;
    }

    /** How rows come to other processes. */
    Mail mail() {
        return mail;
    }

    @Override
    @SuppressWarnings("unchecked") // The node's own factory put the object there.
    public <T> T shared(IntFunction<T> create) {
        return (T) shared.computeIfAbsent(created(), node -> create.apply(sharding.threadsHere()));
    }

    private Node created() {
        Node node = creating;
        if (node == null) {
            throw new IllegalStateException("Operators ask for what they share and keep while they are made");
        }
        return node;
    }

    @Override
    public Trace trace(String name, RowSchema schema) {
        Trace trace = state.trace(plan.idOf(created()) + "/" + name, schema, ranges());
        traces.computeIfAbsent(created(), node -> new ArrayList<>()).add(trace);
        return trace;
    }

    @Override
    public boolean keepsViews() {
        return keepsViews;
    }

    @Override
    public CacheShares cache() {
        return cache;
    }

    @Override
    public Watermarks watermarks() {
        return watermarks;
    }

    @Override
    public boolean nested() {
        return nested;
    }

    @Override
    public Iteration iteration() {
        return iteration;
    }
}
