/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.batch.LooseRows;
import dev.ratchet.circuits.batch.RowVisitor;
import dev.ratchet.circuits.batch.RowWalk;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.trace.TraceStatistics;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A plan that runs. Rows go in through {@link #input}, {@link #step} computes what they change, {@link #output} gives
 * the change of a view. The same inputs give the same outputs for any number of worker threads, whatever their timing.
 *
 * <p>A step touches only operators that the changed tables can reach. A step that a table rejects leaves everything as
 * it was. A row that can not be computed (a division by zero, for example) is left out and becomes one of
 * {@link #errors}, or ends the circuit where its options say so, to be opened again from its last committed state; what
 * is no single row's fault, as weights beyond 63 bits, always ends it. One thread at a time; {@link StepPipeline} adds
 * rows beside a step.
 */
public final class Circuit implements AutoCloseable {

    private static final String STARTED = "circuit.started";
    private static final String WATERMARK = "circuit.watermark.";

    private final Plan plan;
    private final CircuitOptions options;
    private final Map<String, TableInput> inputs = new LinkedHashMap<>();
    private final List<TableInput> inputOrder = new ArrayList<>();
    private final WorkerThread[] workerThreads;
    private final List<Schedule.Part> schedule;
    private final List<Node> everyStep;
    private final long beganNanos;
    private final Team team;
    private final StepBarrier alone = new StepBarrier(1);
    private final @Nullable StepRejectedException[] rejections;
    private final int[][] nextIterations;
    /** Nodes that the step which was begun may reach. */
    private final BitSet active = new BitSet();

    private long rows;
    private boolean started;
    private boolean ended;

    public Circuit(Plan plan, CircuitOptions options) {
        this.plan = plan;
        this.options = options;
        this.started = options.attributes().containsKey(STARTED);
        Watermarks watermarks = new Watermarks(plan.tables().size());
        plan.tables().values().forEach(table -> {
            String watermark = options.attributes().get(WATERMARK + table.name());
            if (watermark != null) {
                watermarks.raise(inputOrder.size(), Long.parseLong(watermark));
            }
            TableInput input = new TableInput(table, inputOrder.size(), watermarks, started);
            inputs.put(table.name(), input);
            inputOrder.add(input);
        });
        workerThreads = new WorkerThread[options.workerThreads()];
        Map<Node, Object> shared = new HashMap<>();
        CacheShares cache = CacheShares.ofHeap();
        for (int workerThread = 0; workerThread < workerThreads.length; workerThread++) {
            workerThreads[workerThread] = new WorkerThread(
                    workerThread,
                    workerThreads.length,
                    plan,
                    watermarks,
                    shared,
                    options.state(),
                    cache,
                    options.nanos());
        }
        rejections = new StepRejectedException[workerThreads.length];
        nextIterations = new int[2][workerThreads.length];
        schedule = Schedule.of(plan.nodes());
        everyStep = plan.nodes().stream().filter(Node::isEveryStep).toList();
        beganNanos = options.nanos().getAsLong();
        team = new Team(workerThreads.length, options.threads());
    }

    public Plan plan() {
        return plan;
    }

    /** Where changes of a table are added. */
    public TableInput input(String table) {
        TableInput input = inputs.get(table);
        if (input == null) {
            throw new IllegalArgumentException("No table " + table + "; the tables are " + inputs.keySet());
        }
        return input;
    }

    /**
     * Runs one step with what was added to the inputs since the last.
     *
     * @throws StepRejectedException where a table does not accept its rows; nothing was applied and they are dropped
     * @throws StepFailedException where an operator can not go on, or a row can not be computed and the options say
     *     {@link OnError#STOP}; the circuit has ended
     * @throws IllegalStateException after a step failed otherwise, or the circuit was closed
     */
    public void step() {
        begin();
        try {
            finish();
        } catch (StepRejectedException e) {
            discard();
            throw e;
        }
    }

    /** Sums already what the next step has to sum before it begins, if anything. Also during a step. */
    void prepare() {
        inputOrder.forEach(input -> input.prepare(workerThreads.length));
    }

    /**
     * Takes what was added to the inputs for a step, which {@link #finish} runs: maybe on another thread, while the
     * rows of the next are added. The one before has been finished.
     */
    void begin() {
        if (ended) {
            throw new IllegalStateException("The circuit has ended; open it again from its last committed state");
        }
        for (WorkerThread workerThread : workerThreads) {
            workerThread.clear();
        }
        active.clear();
        rows = offer();
    }

    /** Rows of the step that was begun. */
    long rows() {
        return rows;
    }

    /** Runs the step that was begun; throws as {@link #step}, after which {@link #discard} is wanted. */
    void finish() {
        activateWhereWorkWaits();
        if (!started) {
            active.set(0, plan.allNodes().size());
            for (WorkerThread workerThread : workerThreads) {
                workerThread.start();
            }
        }
        if (!active.isEmpty()) {
            compute();
            started = true;
        }
        inputOrder.forEach(TableInput::advance);
    }

    private void compute() {
        ended = true;
        if (workerThreads.length == 1 || rows <= options.smallStepRows()) {
            run(schedule, workerThreads, alone, 0, active);
        } else {
            team.run(party -> run(schedule, new WorkerThread[] {workerThreads[party]}, team.barrier(), party, active));
        }
        ended = false;
        throwRejection();
        if (options.onError() == OnError.STOP) {
            throwErrors();
        }
    }

    /** Drops what was added to the inputs, and what a step that was rejected has told them. Not during a step. */
    void discard() {
        inputOrder.forEach(input -> input.discard(started));
    }

    CircuitOptions options() {
        return options;
    }

    private void activateWhereWorkWaits() {
        for (Node node : everyStep) {
            for (WorkerThread workerThread : workerThreads) {
                if (workerThread.operatorOf(node).wanted()) {
                    active.or(plan.reach(node));
                }
            }
        }
    }

    private long offer() {
        long all = 0;
        for (TableInput input : inputOrder) {
            Node source = input.table().source();
            List<TableSource> sources = new ArrayList<>(workerThreads.length);
            for (WorkerThread workerThread : workerThreads) {
                sources.add((TableSource) workerThread.operatorOf(source));
            }
            long added;
            try {
                added = input.offer(sources);
            } catch (ArithmeticException e) {
                ended = true;
                throw new StepFailedException(source, plan.viewsOf(source), e);
            }
            if (added > 0) {
                all += added;
                active.or(plan.reach(source));
            }
        }
        return all;
    }

    private void throwRejection() {
        StepRejectedException first = null;
        for (int workerThread = 0; workerThread < rejections.length; workerThread++) {
            first = first == null ? rejections[workerThread] : first;
            rejections[workerThread] = null;
        }
        if (first != null) {
            for (WorkerThread workerThread : workerThreads) {
                workerThread.clear();
            }
            throw first;
        }
    }

    private void throwErrors() {
        Batch errors = errors();
        if (!errors.isEmpty()) {
            ended = true;
            throw StepFailedException.of(errors, plan);
        }
    }

    /** Runs some worker threads through the parts; all threads go through the same parts and meet between each two. */
    private boolean run(
            List<Schedule.Part> parts, WorkerThread[] mine, StepBarrier barrier, int party, @Nullable BitSet active) {
        boolean isApart = false;
        for (Schedule.Part part : parts) {
            List<Node> nodes = part.segment().nodes();
            if (active != null && nodes.stream().noneMatch(node -> active.get(node.number()))) {
                continue;
            }
            if (isApart) {
                barrier.await(party);
            }
            isApart = !part.isRecursion() && !part.segment().checks();
            if (part.isRecursion()) {
                iterate(part, mine, barrier, party);
            } else if (part.segment().checks()) {
                if (!check(nodes, mine, barrier, party)) {
                    return false;
                }
            } else {
                for (WorkerThread workerThread : mine) {
                    workerThread.run(nodes, active);
                }
            }
        }
        return true;
    }

    private boolean check(List<Node> nodes, WorkerThread[] mine, StepBarrier barrier, int party) {
        for (WorkerThread workerThread : mine) {
            try {
                workerThread.check(nodes);
            } catch (StepRejectedException e) {
                rejections[workerThread.workerThread()] = e;
            }
        }
        barrier.await(party);
        for (StepRejectedException rejection : rejections) {
            if (rejection != null) {
                return false;
            }
        }
        return true;
    }

    private void iterate(Schedule.Part part, WorkerThread[] mine, StepBarrier barrier, int party) {
        Node recursive = part.recursive();
        Recursion recursion = Objects.requireNonNull(recursive.recursion());
        int iteration = 0;
        for (int round = 0; iteration != Integer.MAX_VALUE; round++) {
            if (round > Recursion.ITERATIONS_MAX) {
                throw new StepFailedException("Recursion " + recursion.name() + " did not end after "
                        + Recursion.ITERATIONS_MAX + " iterations of one step; bound what it derives");
            }
            // Two rows of numbers in turn, so that one is read while the next is written.
            int[] next = nextIterations[round & 1];
            for (WorkerThread workerThread : mine) {
                workerThread.beginIteration(recursive, recursion, iteration);
            }
            run(part.iteration(), mine, barrier, party, null);
            for (WorkerThread workerThread : mine) {
                next[workerThread.workerThread()] = workerThread.nextIteration(recursion);
            }
            barrier.await(party);
            iteration = Integer.MAX_VALUE;
            for (int wanted : next) {
                iteration = Math.min(iteration, wanted);
            }
        }
        for (WorkerThread workerThread : mine) {
            workerThread.endIterations(recursive, recursion);
        }
    }

    /** What the last step changed in a view, summed over all worker threads. */
    public Batch output(String view) {
        Plan.View wanted = viewOf(view);
        List<Batch> parts = new ArrayList<>();
        for (WorkerThread workerThread : workerThreads) {
            parts.add(workerThread.operatorOf(wanted.sink()).output());
        }
        return BatchMerge.merge(wanted.schema(), parts);
    }

    /**
     * Shows what the last step changed in a view as it came: in no order, equal rows perhaps several times. Their
     * weights sum to those of {@link #output}, which sorts them. Rows that were added since belong to the next step.
     */
    public void visit(String view, RowVisitor visitor) {
        Node sink = viewOf(view).sink();
        for (WorkerThread workerThread : workerThreads) {
            Operator change = workerThread.operatorOf(sink);
            LooseRows loose = change.looseOutput();
            RowWalk rows = loose == null ? change.output().cursor() : loose.cursor();
            for (; rows.valid(); rows.next()) {
                visitor.visit(rows, rows.weight());
            }
        }
    }

    /**
     * What the last step changed in the system view {@value StepErrors#VIEW}: a row with the weight of those that can
     * not be computed, {@link StepErrors#COLUMNS}.
     */
    public Batch errors() {
        List<Batch> parts = new ArrayList<>();
        for (WorkerThread workerThread : workerThreads) {
            if (!workerThread.errors().isEmpty()) {
                parts.add(workerThread.errors().batch());
            }
        }
        return parts.isEmpty() ? StepErrors.NONE : BatchMerge.merge(StepErrors.SCHEMA, parts);
    }

    private Plan.View viewOf(String name) {
        Plan.View view = plan.views().get(name);
        if (view == null) {
            throw new IllegalArgumentException(
                    "No view " + name + "; the views are " + plan.views().keySet());
        }
        return view;
    }

    /**
     * What the circuit knows besides the traces of its operators, to be committed with them: whether it has run, and
     * the watermarks. Names begin with {@code circuit.}.
     */
    public Map<String, String> attributes() {
        Map<String, String> attributes = new TreeMap<>();
        if (started) {
            attributes.put(STARTED, "true");
        }
        for (TableInput input : inputOrder) {
            long watermark = input.watermark();
            if (watermark != Long.MIN_VALUE) {
                attributes.put(WATERMARK + input.table().name(), Long.toString(watermark));
            }
        }
        return attributes;
    }

    /** What operators did so far, in the order of the plan. */
    public List<OperatorMetrics> metrics() {
        List<OperatorMetrics> metrics = new ArrayList<>();
        for (Node node : plan.allNodes()) {
            OperatorMeter sum = new OperatorMeter();
            for (WorkerThread workerThread : workerThreads) {
                OperatorMeter meter = workerThread.meterOf(node);
                sum.evaluations += meter.evaluations;
                sum.rows += meter.rows;
                sum.bytes += meter.bytes;
                sum.nanos += meter.nanos;
            }
            long stateRows = 0;
            long stateBytes = 0;
            long memoryBytes = 0;
            long seeks = 0;
            for (WorkerThread workerThread : workerThreads) {
                seeks += workerThread.operatorOf(node).seeks();
                for (Trace trace : workerThread.tracesOf(node)) {
                    TraceStatistics statistics = trace.statistics();
                    stateRows += statistics.rows();
                    stateBytes += statistics.memoryBytes() + statistics.storedBytes();
                    memoryBytes += statistics.memoryBytes();
                }
            }
            metrics.add(new OperatorMetrics(
                    plan.idOf(node),
                    node.kind(),
                    node.text(),
                    sum.evaluations,
                    sum.rows,
                    sum.bytes,
                    sum.nanos,
                    seeks,
                    stateRows,
                    stateBytes,
                    memoryBytes));
        }
        return metrics;
    }

    /** What the circuit looks like and does. */
    public CircuitPicture picture() {
        return new CircuitPicture(plan, metrics(), options.nanos().getAsLong() - beganNanos);
    }

    /** Ends the threads; the circuit can not be used any more. */
    @Override
    public void close() {
        ended = true;
        team.close();
    }
}
