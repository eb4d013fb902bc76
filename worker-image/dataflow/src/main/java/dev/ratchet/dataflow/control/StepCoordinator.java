/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.control;

import com.apple.foundationdb.Transaction;
import dev.ratchet.circuits.sql.RepeatedKeys;
import dev.ratchet.dataflow.DataflowSettings;
import dev.ratchet.dataflow.DataflowStatus;
import dev.ratchet.dataflow.JarSource;
import dev.ratchet.dataflow.ProgramSource;
import dev.ratchet.dataflow.follow.CounterWatch;
import dev.ratchet.dataflow.follow.DelayedSignal;
import dev.ratchet.dataflow.follow.Signal;
import dev.ratchet.dataflow.record.AcceptedProgram;
import dev.ratchet.dataflow.record.Counter;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.record.Programs;
import dev.ratchet.dataflow.record.StoredProgram;
import dev.ratchet.environment.Environment;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.SeatLostException;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.dataflow.v1.StopKind;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides, for one term, what the processes of the circuit do: which program, which run from which version, which input
 * in which step, which versions. Each decision is one transaction that reads all that it rests on and that the term is
 * still held, so that a coordinator may end between any two and the next one goes on. A thread of its own, which sleeps
 * while nothing it waits for has changed.
 */
public final class StepCoordinator implements AutoCloseable {

    /**
     * What it works with.
     *
     * @param built the program that this process has built last
     */
    public record Parts(
            DataflowStore store,
            Keyspace keyspace,
            Seat seat,
            Liveness liveness,
            Programs programs,
            JarSource jars,
            Supplier<Optional<DataflowSettings>> settings,
            Supplier<Optional<AcceptedProgram>> built,
            Consumer<DataflowStatus> status,
            StepLimits limits,
            Environment environment) {}

    private static final Logger LOG = LoggerFactory.getLogger(StepCoordinator.class);
    private static final long TIMEOUT_MILLIS = 5_000;
    private static final long RETRY_MILLIS = 200;
    private static final long LAYOUT_MILLIS = 1_000;
    private static final long CONSUMERS_MILLIS = 200;
    private static final long HELD_MILLIS = 20;
    private static final long TOLD_MILLIS = 20;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Parts parts;
    private final TermFence fence;
    private final RunControl runs;
    private final Divider divider;
    private final LogTrimmer trimmer;
    private final InputLag lag;
    private final Signal signal = new Signal();
    private final CounterWatch appended;
    private final CounterWatch told;

    /** What processes tell of their steps is looked at together with the next input, if that comes soon. */
    private final DelayedSignal toldSignal;

    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile boolean closed;

    /** As it was before the last round; null before the first. The thread's. */
    private @Nullable CircuitRecord circuit;

    /** When the last wake-up comes that was asked for; the thread's. */
    private long wakeUpNanos;

    /** @param term that this process holds */
    public StepCoordinator(Parts parts, long term) {
        this.parts = parts;
        this.fence = new TermFence(parts.keyspace(), parts.seat(), term);
        this.runs = new RunControl(parts.store(), parts.liveness());
        this.divider = new Divider(parts.store(), parts.environment(), parts.limits(), term);
        this.trimmer = new LogTrimmer(parts.store(), parts.limits());
        this.lag = new InputLag(parts.store(), parts.environment(), InputLag.RECORDS_READ);
        this.wakeUpNanos = parts.environment().nanoTime();
        this.toldSignal = new DelayedSignal(parts.environment(), signal, TOLD_MILLIS);
        this.appended = watch(Counter.APPENDED, signal::raise);
        this.told = watch(Counter.TOLD, toldSignal::raise);
    }

    private CounterWatch watch(Counter counter, Runnable changed) {
        return new CounterWatch(parts.store(), parts.environment(), counter, changed);
    }

    public void start() {
        parts.environment().blockingExecutor().execute(this::run);
    }

    /** Something that is in no record has changed: the settings, or who is dead. */
    public void wake() {
        signal.raise();
    }

    private void run() {
        try {
            while (!closed) {
                try {
                    if (!round()) {
                        signal.await();
                    }
                } catch (RuntimeException e) {
                    trouble(e);
                }
            }
        } finally {
            appended.close();
            told.close();
            ended.complete(null);
        }
    }

    private void trouble(RuntimeException e) {
        Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
        if (cause instanceof SeatLostException || cause instanceof TermFence.DeposedException) {
            LOG.info("No more steps are divided in term {}: {}", fence.term(), cause.getMessage());
            closed = true;
        } else if (!closed) {
            LOG.warn("The circuit can not be coordinated, trying again in {} ms", RETRY_MILLIS, e);
            parts.environment().schedule(RETRY_MILLIS, signal::raise);
            signal.await();
        }
    }

    /**
     * What one transaction has found.
     *
     * @param again whether there may be more to decide at once
     */
    private record Round(
            boolean again,
            long appended,
            long told,
            ClusterRecords records,
            boolean hasLayout,
            SettingsChange.Wanted wanted) {}

    private boolean round() {
        SettingsChange.Wanted wanted = wanted();
        toldSignal.looked();
        Round round = parts.store().database().run(transaction -> round(transaction, wanted));
        ClusterRecords records = round.records();
        circuit = records.circuit();
        long moreLag = lag.look(records);
        parts.status()
                .accept(StatusOf.records(
                        records,
                        round.wanted(),
                        runs.waitsFor(records),
                        lag.rows(),
                        parts.built().get()));
        if (round.again()) {
            return true;
        }
        toldSignal.setUrgent(!records.isRunning() || records.circuit().getSuspended() || divider.isHeldUp());
        appended.setSince(round.appended());
        told.setSince(round.told());
        // What follows is as it was before this round has divided steps: when they have taken them, processes tell so.
        long due = divider.millisUntilDue(records);
        if (due >= 0) {
            wakeIn(due);
        }
        if (records.consumedStep() < records.lastStep()) {
            wakeIn(records.isHeld() ? HELD_MILLIS : CONSUMERS_MILLIS);
        }
        if (moreLag >= 0) {
            wakeIn(moreLag);
        }
        if (!round.hasLayout()) {
            wakeIn(LAYOUT_MILLIS);
        }
        if (round.wanted().isWithoutJar()) {
            wakeIn(Programs.FETCH_AGAIN_MILLIS + HELD_MILLIS);
        }
        return false;
    }

    /** One timer for all rounds until it has fired: none is set where one that is set comes no later. */
    private void wakeIn(long millis) {
        long now = parts.environment().nanoTime();
        long nanos = now + NANOS_PER_MILLI * millis;
        if (wakeUpNanos - now <= 0 || nanos - wakeUpNanos < 0) {
            wakeUpNanos = nanos;
            parts.environment().schedule(millis, signal::raise);
        }
    }

    /** As the last round has found it. */
    private CircuitRecord circuit() {
        CircuitRecord found = circuit;
        return found == null
                ? parts.store().database().read(transaction -> {
                    transaction.options().setTimeout(TIMEOUT_MILLIS);
                    return DataflowStore.read(transaction, parts.store().circuit(), CircuitRecord.getDefaultInstance())
                            .join();
                })
                : found;
    }

    private SettingsChange.Wanted wanted() {
        DataflowSettings settings = parts.settings().get().orElse(null);
        if (settings == null) {
            return SettingsChange.Wanted.NOTHING;
        }
        RepeatedKeys repeated = StoredProgram.repeatedKeys(circuit(), settings.name());
        CompletableFuture<AcceptedProgram> program =
                parts.programs().prepare(settings.program(), repeated, () -> StoredProgram.read(parts.store()));
        if (!program.isDone()) {
            program.whenComplete((made, failure) -> signal.raise());
            return SettingsChange.Wanted.PENDING;
        }
        try {
            return SettingsChange.Wanted.of(settings, program.join());
        } catch (CompletionException failed) {
            return SettingsChange.Wanted.mistaken(settings, Programs.mistake(failed));
        }
    }

    /** A jar that a circuit begins to name must be there in the same transaction: then nobody collects it. */
    private SettingsChange.Wanted stored(
            Transaction transaction, ClusterRecords records, SettingsChange.Wanted wanted) {
        AcceptedProgram program = wanted.program();
        boolean isGone = program != null
                && program.source() instanceof ProgramSource.OfClass of
                && !program.digest().equals(records.circuit().getProgramDigest())
                && !parts.jars().isStored(transaction, of.jar()).join();
        return isGone
                ? SettingsChange.Wanted.mistaken(
                        wanted.settings().orElseThrow(),
                        "The jar of the program is not in the store any more; upload it again, by ratchet circuit"
                                + " upload")
                : wanted;
    }

    private Round round(Transaction transaction, SettingsChange.Wanted made) {
        transaction.options().setTimeout(TIMEOUT_MILLIS);
        CompletableFuture<Void> fenced = fence.require(transaction);
        CompletableFuture<List<String>> layout = fence.seats(transaction);
        CompletableFuture<ClusterRecords> read = ClusterRecords.read(transaction, parts.store());
        CompletableFuture<Long> seenAppended = appended.value(transaction);
        CompletableFuture<Long> seenTold = told.value(transaction);
        fenced.join();
        ClusterRecords records = read.join();
        List<String> seats = layout.join();
        SettingsChange.Wanted wanted = stored(transaction, records, made);
        boolean changed = SettingsChange.apply(transaction, parts.store(), parts.jars(), records, wanted, seats)
                || decide(transaction, records, wanted)
                || (records.isRunning()
                        ? runs.end(transaction, records) || trimmer.trim(transaction, records)
                        : runs.begin(transaction, records, fence.term()));
        boolean divided = !changed && records.isRunning() && divider.divide(transaction, records);
        if (changed || divided) {
            parts.store().count(transaction, Counter.ORDERED, 1);
        }
        boolean again = changed || (divided && divider.hasMore());
        return new Round(again, seenAppended.join(), seenTold.join(), records, !seats.isEmpty(), wanted);
    }

    private boolean decide(Transaction transaction, ClusterRecords records, SettingsChange.Wanted wanted) {
        DataflowSettings settings = wanted.settings().orElse(null);
        if (settings == null || !runs.decide(transaction, records, settings.decision())) {
            return false;
        }
        if (records.circuit().getStop().getKind() == StopKind.STOP_KIND_PLAN) {
            // What is known of the text is of the plan that could not be used.
            parts.programs().forget(settings.program());
        }
        return true;
    }

    /** Decides no more; waits until what it does has ended. */
    @Override
    public void close() {
        closed = true;
        signal.raise();
        ended.join();
    }

    /** As {@link #close} without waiting. */
    public void stop() {
        closed = true;
        signal.raise();
    }
}
