/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.process;

import com.apple.foundationdb.Database;
import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.dataflow.CircuitWork;
import dev.ratchet.dataflow.DataflowSettings;
import dev.ratchet.dataflow.DataflowStatus;
import dev.ratchet.dataflow.InputFullException;
import dev.ratchet.dataflow.InputLog;
import dev.ratchet.dataflow.JarSource;
import dev.ratchet.dataflow.Participant;
import dev.ratchet.dataflow.Received;
import dev.ratchet.dataflow.ShareFeed;
import dev.ratchet.dataflow.StateDisk;
import dev.ratchet.dataflow.control.StatusOf;
import dev.ratchet.dataflow.control.StepCoordinator;
import dev.ratchet.dataflow.exchange.ExchangeTransport;
import dev.ratchet.dataflow.follow.Orders;
import dev.ratchet.dataflow.follow.Signal;
import dev.ratchet.dataflow.follow.StoreFollower;
import dev.ratchet.dataflow.log.StoredInputLog;
import dev.ratchet.dataflow.output.ViewShares;
import dev.ratchet.dataflow.record.AcceptedProgram;
import dev.ratchet.dataflow.record.Counter;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.record.LogPosition;
import dev.ratchet.dataflow.record.Programs;
import dev.ratchet.dataflow.record.StoredProgram;
import dev.ratchet.dataflow.run.CircuitRunner;
import dev.ratchet.dataflow.source.Sources;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.dataflow.v1.RunParticipant;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The circuit of a cluster as one worker has it: takes part in its steps, takes input, serves its share of the views,
 * and, while this process holds the term, decides about steps. Safe for use by several threads; nothing blocks but
 * {@link #close}.
 */
public final class Dataflow implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Dataflow.class);
    private static final long RETRY_MILLIS = 250;

    private final DataflowStore store;
    private final Keyspace keyspace;
    private final Seat seat;
    private final Liveness liveness;
    private final Environment environment;
    private final DataflowLimits limits;
    private final JarSource jars;
    private final Programs programs;
    private final ViewShares shares;
    private final StoredInputLog inputs;
    private final CircuitRunner runner;
    private final StoreFollower<Orders> follower;
    private final List<Runnable> runListeners = new CopyOnWriteArrayList<>();
    private volatile Orders orders = Orders.NONE;
    private volatile boolean isOrdered;
    private volatile Optional<DataflowSettings> settings = Optional.empty();
    private volatile @Nullable DataflowStatus told;
    private volatile @Nullable StepCoordinator coordinator;
    private volatile @Nullable Sources sources;
    private volatile @Nullable DataflowCompanion companion;
    private boolean started;
    private boolean closed;
    private long term;

    /**
     * Makes it; nothing happens before {@link #start}.
     *
     * @param seat of this process
     * @param liveness tells which of the others are dead
     * @param address {@code host:port} where this worker serves gRPC, for whoever merges the shares of a view
     * @param exchange joins this process with the others of a run
     * @param disk where the state of circuits is kept, each life of one in a directory of its own
     * @param jars where the jars of programs are
     */
    public Dataflow(
            Database database,
            Keyspace keyspace,
            Seat seat,
            Liveness liveness,
            String address,
            ExchangeTransport exchange,
            StateDisk disk,
            JarSource jars,
            Environment environment) {
        this(
                database,
                keyspace,
                seat,
                liveness,
                address,
                exchange,
                disk,
                jars,
                environment,
                DataflowLimits.DEFAULT,
                Programs.Planner.SQL);
    }

    /** As the other one, with limits and a planner of one's own. */
    public Dataflow(
            Database database,
            Keyspace keyspace,
            Seat seat,
            Liveness liveness,
            String address,
            ExchangeTransport exchange,
            StateDisk disk,
            JarSource jars,
            Environment environment,
            DataflowLimits limits,
            Programs.Planner planner) {
        this.store = new DataflowStore(database, keyspace);
        this.keyspace = keyspace;
        this.seat = seat;
        this.liveness = liveness;
        this.environment = environment;
        this.limits = limits;
        this.jars = jars;
        this.programs = new Programs(jars, environment, planner);
        Signal signal = new Signal();
        this.shares = new ViewShares(signal::raise);
        this.inputs = new StoredInputLog(store, this::programOfInput, limits.input());
        this.runner = new CircuitRunner(
                new CircuitRunner.Parts(
                        store,
                        seat,
                        liveness,
                        exchange,
                        address,
                        disk,
                        programs,
                        shares,
                        environment,
                        limits.smallStepRows()),
                signal);
        this.follower = new StoreFollower<>(
                store,
                environment,
                List.of(Counter.ORDERED),
                transaction -> Orders.read(transaction, store),
                this::ordered);
        liveness.addListener((dead, incarnation) -> wakeCoordinator());
    }

    /**
     * Builds the program that is recorded, while the seat is being taken: {@link #start} does not wait for it, and
     * finds by itself whatever is wrong with it. Nothing is written.
     */
    public void prepare() {
        environment.blockingExecutor().execute(() -> {
            try {
                programs.prepareRecorded(StoredProgram.read(store));
            } catch (RuntimeException e) {
                LOG.debug("The recorded program could not be built ahead", e);
            }
        });
    }

    /** Begins to take part; the seat has been taken. */
    public synchronized void start() {
        started = true;
        runner.start();
        follower.start();
        coordinate();
    }

    /** Tells the term that this process holds, 0 for none: for {@code Membership.onTerm}. */
    public synchronized void elected(long held) {
        term = held;
        StepCoordinator former = coordinator;
        coordinator = null;
        told = null;
        if (former != null) {
            former.stop();
        }
        closeSources();
        coordinate();
    }

    private void closeSources() {
        Sources former = sources;
        sources = null;
        if (former != null) {
            former.close();
        }
    }

    private void coordinate() {
        if (started && !closed && term > 0) {
            StepCoordinator elected = new StepCoordinator(
                    new StepCoordinator.Parts(
                            store,
                            keyspace,
                            seat,
                            liveness,
                            programs,
                            jars,
                            () -> settings,
                            runner::program,
                            status -> told = status,
                            limits.steps(),
                            environment),
                    term);
            coordinator = elected;
            elected.start();
            Sources own = new Sources(inputs, this::programOfInput, environment);
            sources = own;
            configure(own);
        }
    }

    private void configure(Sources own) {
        own.configure(settings.filter(found -> !found.suspended())
                .map(DataflowSettings::inputs)
                .orElse(List.of()));
    }

    private void wakeCoordinator() {
        StepCoordinator elected = coordinator;
        if (elected != null) {
            elected.wake();
        }
    }

    /** Tells what the configuration of the cluster says of its circuit, at the beginning and after each change. */
    public void configure(Optional<DataflowSettings> found) {
        settings = found;
        wakeCoordinator();
        Sources own = sources;
        if (own != null) {
            configure(own);
        }
    }

    private void ordered(Orders found) {
        long runBefore = runInForce();
        boolean isSameLife = orders.circuit().getLife() == found.circuit().getLife();
        orders = found;
        isOrdered = true;
        runner.ordered(found);
        DataflowCompanion beside = companion;
        if (beside != null) {
            beside.ordered(found);
        }
        Sources own = sources;
        if (own != null && !isSameLife) {
            // They remember what they have taken for the circuit before, whose log may be gone.
            own.configure(List.of());
            configure(own);
        }
        if (runInForce() != runBefore) {
            GuardedCallbacks.each("telling of another run", runListeners, Runnable::run);
        }
    }

    private long runInForce() {
        Orders current = orders;
        return current.isInForce() ? current.run().getNumber() : 0;
    }

    private CompiledProgram programOfInput() {
        Optional<CompiledProgram> known = program();
        if (known.isEmpty() && isOrdered && orders.circuit().getProgramDigest().isEmpty()) {
            throw new IllegalArgumentException("The cluster has no circuit that could take rows; give it a program");
        }
        return known.orElseThrow(() -> new InputFullException(
                "This worker does not know yet which tables the circuit has; try again", RETRY_MILLIS));
    }

    /** Where rows go in. */
    public InputLog inputs() {
        return inputs;
    }

    /** What this process has of the views. */
    public ShareFeed shares() {
        return shares;
    }

    /** Has somebody told of all orders, and {@link #status} say what it has to say; before {@link #start}. */
    public void accompany(DataflowCompanion beside) {
        companion = beside;
    }

    /** What the circuit does, as far as this process knows; whole where it holds the term. */
    public DataflowStatus status() {
        DataflowStatus coordinated = told;
        if (coordinated == null) {
            return StatusOf.orders(orders, runner.step());
        }
        Sources own = sources;
        DataflowCompanion beside = companion;
        return coordinated
                .alsoSaying(own == null ? "" : own.trouble())
                .alsoSaying(beside == null ? "" : beside.trouble());
    }

    /** What this process has done of the circuit since its run began. */
    public CircuitWork work() {
        return runner.work();
    }

    /** The processes whose shares make up a view, in the order of their numbers; none while there is no run. */
    public List<Participant> participants() {
        Orders current = orders;
        List<Participant> participants = new ArrayList<>();
        if (current.isInForce()) {
            for (RunParticipant member : current.run().getParticipantsList()) {
                participants.add(new Participant(
                        participants.size(), member.getSeat(), member.getIncarnation(), member.getAddress()));
            }
        }
        return participants;
    }

    /** The life of the circuit whose steps {@link #participants} take; 0 while it is not known. */
    public long life() {
        return orders.circuit().getLife();
    }

    /**
     * Runs something whenever {@link #participants} are those of another run, or of none any more, until closed.
     *
     * @param changed may be run on any thread, and must not block
     */
    public ShareFeed.Subscription onRun(Runnable changed) {
        runListeners.add(changed);
        return () -> runListeners.remove(changed);
    }

    /** The program that runs or is to run, compiled: tables and views with their columns. */
    public Optional<CompiledProgram> program() {
        return runner.program().map(AcceptedProgram::program);
    }

    /**
     * Which input the outputs up to a step stand for: the position up to which records of the log are in it, as
     * {@link Received#position}; nothing where the step was not taken yet, or is no longer known.
     */
    public CompletableFuture<Optional<String>> inputOf(long step) {
        return store.database()
                .readAsync(transaction -> transaction.get(store.divisions().key(step)))
                .thenApply(bytes -> Optional.ofNullable(store.divisions().decodeOrNull(bytes))
                        .map(division -> LogPosition.shown(LogPosition.decoded(division.getEnd()))));
    }

    /** The last step that the circuit has, whether or not all processes have taken it. */
    public CompletableFuture<Long> lastStep() {
        long first = orders.circuit().getFirstStep();
        return store.database().readAsync(store::lastStep).thenApply(last -> Math.max(first, last));
    }

    /** Leaves the run and waits until nothing of it works any more. */
    @Override
    public void close() {
        StepCoordinator last;
        synchronized (this) {
            closed = true;
            last = coordinator;
            coordinator = null;
            closeSources();
        }
        follower.close();
        if (last != null) {
            last.close();
        }
        if (started) {
            runner.close();
        }
    }
}
