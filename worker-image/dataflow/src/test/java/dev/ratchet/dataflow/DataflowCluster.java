/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.circuit.OnError;
import dev.ratchet.circuits.sql.SqlProgram;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.dataflow.exchange.MemoryExchange;
import dev.ratchet.dataflow.process.Dataflow;
import dev.ratchet.dataflow.process.DataflowLimits;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.record.Programs;
import dev.ratchet.dataflow.share.CircuitShares;
import dev.ratchet.dataflow.share.DataflowShares;
import dev.ratchet.dataflow.share.ViewReader;
import dev.ratchet.dataflow.sink.Sinks;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.SeatLostException;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.record.CoordinatorTable;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.membership.v1.CoordinatorRecord;
import dev.ratchet.protocol.membership.v1.LayoutRecord;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.keyspace.Keyspace;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Workers of a circuit in one process, over one store, that can be killed; and all that they put out. */
public final class DataflowCluster implements AutoCloseable {

    private static final long LIMIT_SECONDS = 60;
    private static final Pattern RETRY = Pattern.compile("(?<=has ended each time .{0,2000})retry-[0-9]+");

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Database database;
    private final Keyspace keyspace = new Keyspace("test/dataflow");
    private final MemoryExchange.Hub hub = new MemoryExchange.Hub();
    private final TestJars jars = new TestJars();
    private final Path directory;
    private final DataflowLimits limits;
    private final List<Worker> workers = new ArrayList<>();
    private final List<Liveness.DeathListener> deathListeners = new CopyOnWriteArrayList<>();

    /** Read and written under its lock, on which changes are waited for. */
    private final ToldChanges told = new ToldChanges();

    private final Set<String> followed = new ConcurrentSkipListSet<>();
    private final long seed = System.nanoTime();
    private Optional<DataflowSettings> settings = Optional.empty();
    private volatile Programs.Planner planner = Programs.Planner.SQL;
    private long term;
    private int coordinator;

    public DataflowCluster(Path directory, int count) {
        this(directory, count, DataflowLimits.DEFAULT);
    }

    DataflowCluster(Path directory, int count, DataflowLimits limits) {
        this(directory, count, limits, UnaryOperator.identity());
    }

    /** @param wrapper of the database that the workers use */
    public DataflowCluster(Path directory, int count, DataflowLimits limits, UnaryOperator<Database> wrapper) {
        this.database = wrapper.apply(StoreUnderTest.open(environment));
        this.directory = directory;
        this.limits = limits;
        LayoutRecord.Builder layout = LayoutRecord.newBuilder().setEpoch(1);
        for (int number = 0; number < count; number++) {
            layout.addSeats("w-" + number);
        }
        database.run(transaction -> {
            new CoordinatorTable(keyspace).layout().write(transaction, layout.build());
            return null;
        });
        for (int number = 0; number < count; number++) {
            workers.add(new Worker(number, 1));
        }
        workers.forEach(worker -> worker.dataflow.start());
        elect(0);
    }

    public Dataflow worker(int number) {
        return workers.get(number).dataflow;
    }

    public Database database() {
        return database;
    }

    public Keyspace keyspace() {
        return keyspace;
    }

    /** What all workers fetch jars from. */
    TestJars jars() {
        return jars;
    }

    MemoryExchange.Hub exchange() {
        return hub;
    }

    public int size() {
        return workers.size();
    }

    /** What a test leaves to chance; who waits in vain says its seed. */
    Random random() {
        return new Random(seed);
    }

    String seed() {
        return "seed " + seed;
    }

    /** Makes a worker the coordinator; the one before is not told. */
    public void elect(int number) {
        elect(number, () -> {});
    }

    /**
     * Makes a worker the coordinator, with something between: the one before commits nothing any more then, and the new
     * one has not begun.
     */
    void elect(int number, Runnable between) {
        Worker worker = workers.get(number);
        coordinator = number;
        term++;
        CoordinatorRecord holder = CoordinatorRecord.newBuilder()
                .setTerm(term)
                .setSeat(worker.name())
                .setIncarnation(worker.incarnation)
                .build();
        database.run(transaction -> {
            new CoordinatorTable(keyspace).writeHolder(transaction, holder);
            return null;
        });
        between.run();
        worker.dataflow.elected(term);
        worker.sinks.elected(term);
    }

    /** Lets all workers plan texts otherwise from now on, as those of another release. */
    void plan(Function<String, SqlProgram> otherwise) {
        plan((text, repeated, outputKeys) -> otherwise.apply(text));
    }

    void plan(Programs.Planner otherwise) {
        planner = otherwise;
    }

    /** What the store has of the circuit. */
    CircuitRecord circuit() {
        DataflowStore store = new DataflowStore(database, keyspace);
        return database.read(
                transaction -> DataflowStore.read(transaction, store.circuit(), CircuitRecord.getDefaultInstance())
                        .join());
    }

    /** Changes that, as another release or a person may have left it. */
    void changeCircuit(Consumer<CircuitRecord.Builder> change) {
        DataflowStore store = new DataflowStore(database, keyspace);
        database.run(transaction -> {
            CircuitRecord.Builder circuit =
                    DataflowStore.read(transaction, store.circuit(), CircuitRecord.getDefaultInstance())
                            .join()
                            .toBuilder();
            change.accept(circuit);
            DataflowStore.write(transaction, store.circuit(), circuit.build());
            return null;
        });
    }

    public void configure(DataflowSettings wanted) {
        settings = Optional.of(wanted);
        workers.forEach(worker -> worker.configure(settings));
    }

    public static DataflowSettings settings(String program) {
        return new DataflowSettings("c", program, false, 1, 200, 2, OnError.COLLECT, Map.of(), "");
    }

    /** Kills a worker and begins another process of its seat, on the same disk. */
    public void restart(int number) {
        restart(number, seat -> {});
    }

    /** As {@link #restart(int)}; between the two something happens to the disk of the seat. */
    void restart(int number, Consumer<String> between) {
        Worker dead = workers.get(number);
        dead.kill();
        between.accept(dead.name());
        Worker next = new Worker(number, dead.incarnation + 1);
        workers.set(number, next);
        next.configure(settings);
        next.dataflow.prepare();
        next.dataflow.start();
        next.follow();
    }

    /** Follows these views in all processes. */
    public void follow(String... views) {
        followed.addAll(List.of(views));
        workers.forEach(Worker::follow);
    }

    public Received append(int worker, String producer, long sequence, String table, String... rows) {
        byte[] lines = String.join("\n", rows).getBytes(StandardCharsets.UTF_8);
        return append(
                worker, new InputRequest(producer, sequence, List.of(new TableRows(table, RowFormat.NDJSON, lines))));
    }

    Received append(int worker, InputRequest request) {
        await(
                "worker " + worker + " knows the program",
                () -> worker(worker).program().isPresent());
        return get(worker(worker).inputs().append(request));
    }

    static <T> T get(CompletableFuture<T> future) {
        return future.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
    }

    /** Waits for something to hold, which may need the threads that tell: nothing is locked meanwhile. */
    public void await(String what, BooleanSupplier holds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!holds.getAsBoolean()) {
            synchronized (told) {
                if (System.nanoTime() > end || !told.mistakes().isEmpty()) {
                    throw new AssertionError(
                            "Not within " + LIMIT_SECONDS + " s: " + what + "; " + seed() + "; " + told.mistakes()
                                    + workers.stream()
                                            .map(worker -> worker.dataflow.status())
                                            .toList());
                }
                try {
                    told.wait(20);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new AssertionError(e);
                }
            }
        }
    }

    public void awaitState(int worker, DataflowState state) {
        await(state.toString(), () -> worker(worker).status().state() == state);
    }

    /** Waits until the outputs of all processes are there up to the step that has a position. */
    public void awaitOutputOf(String position, String view) {
        await("output of " + position, () -> {
            retryWhereKillsAreTakenForTheStep();
            long step = completeStep(view);
            return step > 0
                    && get(worker(0).inputOf(step))
                            .filter(end -> end.compareTo(position) >= 0)
                            .isPresent();
        });
    }

    /** Kills at random may hit one step again and again; a person sees that it is not the step's fault. */
    void retryWhereKillsAreTakenForTheStep() {
        DataflowStatus status = worker(coordinator).status();
        Matcher retry = RETRY.matcher(status.message());
        if (status.state() == DataflowState.STOPPED && retry.find()) {
            settings.map(before -> withDecision(before, retry.group())).ifPresent(this::configure);
        }
    }

    static DataflowSettings withDecision(DataflowSettings before, String decision) {
        return new DataflowSettings(
                before.name(),
                before.program(),
                before.suspended(),
                before.threads(),
                before.checkpointIntervalMillis(),
                before.retainedVersions(),
                before.onError(),
                before.retainedSteps(),
                decision,
                before.inputs(),
                before.outputs());
    }

    /** The last step of a view that all processes have told. */
    long completeStep(String view) {
        return workers.stream().mapToLong(worker -> worker.lastTold(view)).min().orElse(0);
    }

    /** What the steps changed in a view, by step: rows of all processes, with their weights, in order. */
    public Map<Long, List<String>> changes(String view) {
        synchronized (told) {
            if (!told.mistakes().isEmpty()) {
                throw new AssertionError(told.mistakes().toString());
            }
            return told.of(view);
        }
    }

    /** The rows of one process's share of a view after a step that is at least this one. */
    List<String> snapshot(int worker, String view) {
        CompletableFuture<List<String>> taken = new CompletableFuture<>();
        await(
                "worker " + worker + " knows the program",
                () -> worker(worker).program().isPresent());
        worker(worker).shares().follow(view, ShareFeed.FROM_SNAPSHOT, new ShareListener() {
            @Override
            public void snapshot(long step, Batch rows) {
                taken.complete(ShownRows.of(rows));
            }

            @Override
            public void changes(long step, Batch rows) {}

            @Override
            public void progress(long step) {}

            @Override
            public void expired(long oldestStep) {
                taken.completeExceptionally(new IllegalStateException("expired"));
            }

            @Override
            public void ended(String reason) {
                taken.completeExceptionally(new IllegalStateException(reason));
            }
        });
        return get(taken);
    }

    @Override
    public void close() {
        workers.forEach(Worker::kill);
        database.close();
        environment.close();
    }

    @SuppressWarnings("overloads")
    private final class Worker implements Seat, Liveness {
        private final int number;
        private final long incarnation;
        private final Dataflow dataflow;
        private final Sinks sinks;
        private volatile boolean dead;

        Worker(int number, long incarnation) {
            this.number = number;
            this.incarnation = incarnation;
            this.dataflow = new Dataflow(
                    database,
                    keyspace,
                    this,
                    this,
                    name() + ":1",
                    new MemoryExchange(hub, name() + "/" + incarnation),
                    new DirectoryStateDisk(directory.resolve(name())),
                    jars,
                    environment,
                    // Results do not depend on how many rows a step has that a thread takes alone.
                    number % 2 == 0 ? limits : new DataflowLimits(limits.input(), limits.steps(), 0),
                    (text, repeated, outputKeys) -> planner.plan(text, repeated, outputKeys));
            this.sinks = new Sinks(
                    database,
                    keyspace,
                    this,
                    dataflow::program,
                    new ViewReader(new DirectShares(), environment, ViewReader.Limits.DEFAULT),
                    environment);
            dataflow.accompany(sinks);
        }

        void configure(Optional<DataflowSettings> wanted) {
            dataflow.configure(wanted);
            sinks.configure(wanted);
        }

        /** The shares of the processes as they are, without a network: {@link #feeds} needs no channels. */
        private final class DirectShares implements CircuitShares {
            private final CircuitShares own = new DataflowShares(dataflow, participant -> {
                throw new AssertionError("a channel to " + participant.seat() + " was asked for");
            });

            @Override
            public List<ShareFeed> feeds() {
                return dataflow.participants().stream()
                        .map(participant -> workers.get(
                                        Integer.parseInt(participant.seat().substring(2)))
                                .dataflow
                                .shares())
                        .toList();
            }

            @Override
            public long life() {
                return own.life();
            }

            @Override
            public ShareFeed.Subscription onChange(Runnable changed) {
                return own.onChange(changed);
            }

            @Override
            public RowSchema schema(String view) {
                return own.schema(view);
            }
        }

        void kill() {
            dead = true;
            sinks.close();
            dataflow.close();
            deathListeners.forEach(listener -> listener.died(name(), incarnation));
        }

        long lastTold(String view) {
            synchronized (told) {
                return told.last(name(), view);
            }
        }

        void follow() {
            followed.forEach(this::follow);
        }

        private void follow(String view) {
            if (dead) {
                return;
            }
            long after = lastTold(view);
            try {
                dataflow.shares().follow(view, after, listener(view));
            } catch (IllegalArgumentException notYet) {
                environment.schedule(5, () -> follow(view));
            }
        }

        private ShareListener listener(String view) {
            return new ShareListener() {
                @Override
                public void snapshot(long step, Batch rows) {
                    throw new IllegalStateException("no snapshot was wanted");
                }

                @Override
                public void changes(long step, Batch rows) {
                    synchronized (told) {
                        told.changes(name(), view, step, rows);
                        told.notifyAll();
                    }
                }

                @Override
                public void progress(long step) {
                    synchronized (told) {
                        told.progress(name(), view, step);
                        told.notifyAll();
                    }
                }

                @Override
                public void expired(long oldestStep) {
                    synchronized (told) {
                        told.mistake("expired " + view + " " + oldestStep);
                    }
                }

                @Override
                public void ended(String reason) {
                    environment.schedule(1, () -> follow(view));
                }
            };
        }

        @Override
        public String name() {
            return "w-" + number;
        }

        @Override
        public long incarnation() {
            return incarnation;
        }

        @Override
        public WorkerState state() {
            return WorkerState.HEALTHY;
        }

        @Override
        public boolean mayWork() {
            return !dead;
        }

        @Override
        public long validUntilNanos() {
            return Long.MAX_VALUE;
        }

        @Override
        public CompletableFuture<Void> fence(Transaction transaction) {
            return dead
                    ? CompletableFuture.failedFuture(new SeatLostException(name(), incarnation, "killed"))
                    : CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> fenceForWork(Transaction transaction) {
            return fence(transaction);
        }

        @Override
        public void holdsChanged() {}

        @Override
        public void addListener(Seat.Listener listener) {}

        @Override
        public boolean isDead(String seat, long other) {
            Worker current = workers.get(Integer.parseInt(seat.substring(2)));
            return current.incarnation > other || (current.incarnation == other && current.dead);
        }

        @Override
        public void suspect(String seat, long other) {}

        @Override
        public List<Member> latest() {
            return List.of();
        }

        @Override
        public void addListener(Liveness.DeathListener listener) {
            deathListeners.add(listener);
        }
    }
}
