/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.batch.RowVisitor;
import dev.ratchet.circuits.batch.RowWalk;
import dev.ratchet.circuits.batch.UnconsolidatedRows;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.trace.TraceStatistics;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A plan that runs. Rows go in through {@link #input}, {@link #step} computes what they change, {@link #output} gives
 * the change of a view. The same inputs give the same outputs for any number of worker threads, whatever their timing.
 * A circuit of several processes takes the same steps in each, with all rows added in each; a process computes, keeps
 * and puts out its own share, and the sum of the shares is what one process would give.
 *
 * <p>A step touches only operators that the changed tables can reach. A step that a table rejects leaves everything as
 * it was. A row that can not be computed (a division by zero, for example) is left out and becomes one of
 * {@link #errors}, or ends the circuit where its options say so, to be opened again from its last committed state; what
 * is no single row's fault, as weights beyond 63 bits, always ends it. One thread at a time; {@link StepPipeline} adds
 * rows beside a step.
 */
public final class Circuit implements AutoCloseable {

    private static final String STARTED = "circuit.started";
    private static final String VIEWS = "circuit.views";
    private static final String WATERMARK = "circuit.watermark.";

    private final Plan plan;
    private final CircuitOptions options;
    private final Map<String, TableInput> inputs = new LinkedHashMap<>();
    private final List<TableInput> inputOrder = new ArrayList<>();
    private final WorkerThread[] workerThreads;
    private final Sharding sharding;
    private final @Nullable ProcessAgreement processes;
    private final List<Node> everyStep;
    private final long beganNanos;
    private final Team team;
    private final StepRun stepRun;
    private final PublishedViews publishedViews;

    /** Nodes that the step which was begun may reach. */
    private final BitSet active = new BitSet();

    private final List<Batch> addedErrors = new ArrayList<>();
    private long rows;
    private boolean started;
    private boolean ended;

    public Circuit(Plan plan, CircuitOptions options) {
        this.plan = plan;
        this.options = options;
        this.started = options.attributes().containsKey(STARTED);
        if (started && options.keepsViews() && !options.attributes().containsKey(VIEWS)) {
            throw new IllegalStateException("The state has no rows of views: it was written without them, or by a"
                    + " release that kept them elsewhere; go on with that release, or begin anew with the input");
        }
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
        sharding = options.sharding();
        Mail mail = new Mail(sharding, options.peers());
        processes = options.peers().count() == 1 ? null : new ProcessAgreement(options.peers(), plan, mail);
        Map<Node, Object> shared = new HashMap<>();
        CacheShares cache = CacheShares.ofHeap();
        for (int workerThread = 0; workerThread < workerThreads.length; workerThread++) {
            workerThreads[workerThread] = new WorkerThread(
                    sharding.firstHere() + workerThread, sharding, mail, plan, watermarks, shared, options, cache);
        }
        everyStep = plan.nodes().stream().filter(Node::isEveryStep).toList();
        beganNanos = options.nanos().getAsLong();
        team = new Team(workerThreads.length, options.threads());
        publishedViews = new PublishedViews(plan, workerThreads);
        stepRun = new StepRun(plan.nodes(options.peers().count()), team, workerThreads, processes);
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
     * @throws PeersLostException where another process can not be met any more; the circuit has ended
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
        inputOrder.forEach(input -> input.prepare(sharding));
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
        offerErrors();
    }

    /** Rows of the step that was begun. */
    long rows() {
        return rows;
    }

    /** Runs the step that was begun; throws as {@link #step}, after which {@link #discard} is wanted. */
    void finish() {
        activateWhereWorkWaits();
        if (!started) {
            active.set(0, plan.nodeCount());
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
        StepRejectedException rejection = stepRun.run(active, rows <= options.smallStepRows());
        ended = false;
        if (rejection != null) {
            for (WorkerThread workerThread : workerThreads) {
                workerThread.clear();
            }
            throw rejection;
        }
        if (options.onError() == OnError.STOP) {
            throwErrors();
        }
    }

    /**
     * Adds rows to {@link #errors} in the next step: what is wrong with input before any table is given it. All
     * processes add the same; each puts out its share. Not during a step. A step that is rejected drops them.
     *
     * @param found of {@link StepErrors#COLUMNS}
     */
    public void addErrors(Batch found) {
        if (!found.isEmpty()) {
            addedErrors.add(found);
        }
    }

    private void offerErrors() {
        if (addedErrors.isEmpty()) {
            return;
        }
        Batch all = BatchMerge.merge(StepErrors.SCHEMA, addedErrors);
        addedErrors.clear();
        all.split(sharding.map(), (slice, thread) -> {
            if (sharding.isHere(thread)) {
                workerThreads[sharding.numberInProcess(thread)].errors().add(slice);
            }
        });
        active.or(plan.reach(plan.ofErrors().getFirst()));
    }

    /** Drops what was added to the inputs, and what a step that was rejected has told them. Not during a step. */
    void discard() {
        inputOrder.forEach(input -> input.discard(started));
    }

    CircuitOptions options() {
        return options;
    }

    private void activateWhereWorkWaits() {
        if (everyStep.isEmpty()) {
            return;
        }
        BitSet wanted = new BitSet();
        for (Node node : everyStep) {
            for (WorkerThread workerThread : workerThreads) {
                if (workerThread.operatorOf(node).wanted()) {
                    wanted.set(node.number());
                }
            }
        }
        BitSet all = processes == null ? wanted : processes.union(wanted);
        all.stream().forEach(number -> active.or(plan.reach(plan.allNodes().get(number))));
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
                added = input.offer(sources, sharding);
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

    private void throwErrors() {
        ended = true;
        Batch errors = processes == null ? errors() : processes.errors(errors());
        ended = false;
        if (!errors.isEmpty()) {
            ended = true;
            throw StepFailedException.of(errors, plan);
        }
    }

    /** What the last step changed in a view: the share of this process, summed over its worker threads. */
    public Batch output(String view) {
        Plan.View wanted = viewOf(view);
        List<Batch> parts = new ArrayList<>();
        for (WorkerThread workerThread : workerThreads) {
            parts.add(workerThread.operatorOf(wanted.sink()).output());
        }
        return BatchMerge.merge(wanted.schema(), parts);
    }

    /**
     * Lets {@link #rows} show the views as they are now, in a circuit that keeps them. Not during a step.
     *
     * @param step how its caller numbers the step behind which they are
     */
    public void publish(long step) {
        if (!options.keepsViews()) {
            throw new IllegalStateException(
                    "The circuit does not keep the rows of its views; open it with withViews()");
        }
        publishedViews.publish(step);
    }

    /**
     * The rows of a view behind the last step that was published: the share of this process. Any thread at any time,
     * also during a step; what it gives stays as it is.
     */
    public ViewRows rows(String view) {
        return publishedViews.of(viewOf(view));
    }

    /**
     * Shows what the last step changed in a view as it came: in no order, equal rows perhaps several times. Their
     * weights sum to those of {@link #output}, which sorts them. Rows that were added since belong to the next step.
     */
    public void visit(String view, RowVisitor visitor) {
        Node sink = viewOf(view).sink();
        for (WorkerThread workerThread : workerThreads) {
            Operator change = workerThread.operatorOf(sink);
            UnconsolidatedRows unconsolidated = change.unconsolidatedOutput();
            RowWalk rows = unconsolidated == null ? change.output().cursor() : unconsolidated.cursor();
            for (; rows.valid(); rows.next()) {
                visitor.visit(rows, rows.weight());
            }
        }
    }

    /**
     * What the last step changed in the system view {@value StepErrors#VIEW}: a row with the weight of those that can
     * not be computed, {@link StepErrors#COLUMNS}. Of several processes the share of this one, as of any view.
     */
    public Batch errors() {
        return output(StepErrors.VIEW);
    }

    private Plan.View viewOf(String name) {
        Plan.View view =
                name.equals(StepErrors.VIEW) ? plan.errors() : plan.views().get(name);
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
            if (options.keepsViews()) {
                attributes.put(VIEWS, "true");
            }
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
                seeks += workerThread.seeksOf(node);
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

    /** Nanoseconds that each worker thread has spent in operators so far. */
    public List<Long> threadNanos() {
        List<Long> nanos = new ArrayList<>();
        for (WorkerThread workerThread : workerThreads) {
            long sum = 0;
            for (Node node : plan.allNodes()) {
                sum += workerThread.meterOf(node).nanos;
            }
            nanos.add(sum);
        }
        return nanos;
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
