/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.run;

import com.apple.foundationdb.Transaction;
import dev.ratchet.circuits.circuit.PeersLostException;
import dev.ratchet.circuits.circuit.StepErrors;
import dev.ratchet.circuits.program.ProgramInvalidException;
import dev.ratchet.circuits.sql.UnreadablePlanException;
import dev.ratchet.dataflow.CircuitWork;
import dev.ratchet.dataflow.StateDisk;
import dev.ratchet.dataflow.exchange.ExchangePeer;
import dev.ratchet.dataflow.exchange.ExchangeSession;
import dev.ratchet.dataflow.exchange.ExchangeTransport;
import dev.ratchet.dataflow.follow.CounterWatch;
import dev.ratchet.dataflow.follow.Orders;
import dev.ratchet.dataflow.follow.Signal;
import dev.ratchet.dataflow.output.ViewShares;
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
import dev.ratchet.protocol.dataflow.v1.ParticipantRecord;
import dev.ratchet.protocol.dataflow.v1.PlanFailure;
import dev.ratchet.protocol.dataflow.v1.RunRecord;
import dev.ratchet.protocol.dataflow.v1.StepFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of a circuit on this worker: tells what state it has, waits for a run, opens the version that the run
 * names and takes the steps behind it, until the run is over; then from the beginning. It decides nothing: what it does
 * is in the records of the store. One thread of its own.
 */
public final class CircuitRunner implements AutoCloseable {

    /** What it works with. */
    public record Parts(
            DataflowStore store,
            Seat seat,
            Liveness liveness,
            ExchangeTransport exchange,
            String address,
            StateDisk disk,
            Programs programs,
            ViewShares shares,
            Environment environment,
            int smallStepRows) {}

    private static final Logger LOG = LoggerFactory.getLogger(CircuitRunner.class);
    private static final long RETRY_MILLIS = 500;
    private static final long TIMEOUT_MILLIS = 5_000;

    /** The run that it takes part in. */
    private record Joined(long run, ExchangeSession session, AtomicBoolean isLost) {}

    private final Parts parts;
    private final Signal signal;
    private final ObservedWork work;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile Orders orders = Orders.NONE;
    private volatile @Nullable AcceptedProgram program;
    private volatile @Nullable Joined joined;
    private volatile RunnerState state = RunnerState.IDLE;
    private volatile long step;
    private volatile boolean closed;

    // What follows is the thread's.
    private @Nullable LocalState local;
    private long localLife;
    private long leftRun;
    private @Nullable StepFailure failure;
    private @Nullable PlanFailure planFailure;
    private @Nullable ParticipantRecord told;
    private long brokenStep;

    /** @param signal wakes it; whoever wants a snapshot raises it too */
    public CircuitRunner(Parts parts, Signal signal) {
        this.parts = parts;
        this.signal = signal;
        this.work = new ObservedWork(parts.environment(), signal);
    }

    public void start() {
        parts.environment().blockingExecutor().execute(this::run);
    }

    /** Is told what the coordinator has ordered. */
    public void ordered(Orders found) {
        boolean isNews = !found.equals(orders);
        orders = found;
        parts.shares().keep(found.consumedSteps());
        Joined open = joined;
        if (open != null && !isMine(found, open.run())) {
            open.session().close();
        }
        if (isNews) {
            signal.raise();
        }
    }

    private static boolean isMine(Orders found, long run) {
        return found.isInForce() && found.run().getNumber() == run;
    }

    /** The program in force, once its circuit is built. */
    public Optional<AcceptedProgram> program() {
        return Optional.ofNullable(program);
    }

    public RunnerState state() {
        return state;
    }

    /** The last step that was taken here. */
    public long step() {
        return step;
    }

    /** What was done here since the run began, as it was a second ago or later. */
    public CircuitWork work() {
        return work.latest();
    }

    private void become(RunnerState next) {
        state = state.to(next);
    }

    private void run() {
        try {
            while (!closed) {
                boolean again = false;
                try {
                    again = round();
                } catch (RuntimeException | Error e) {
                    trouble(e);
                }
                if (!again && !closed) {
                    signal.await();
                }
            }
        } finally {
            closeLocal();
            state = RunnerState.CLOSED;
            ended.complete(null);
        }
    }

    /** The store, or this disk, does not do what it should; it may later. */
    private void trouble(Throwable e) {
        if (e instanceof SeatLostException || e.getCause() instanceof SeatLostException) {
            LOG.info("The circuit is left: {}", e.getMessage());
            closed = true;
        } else {
            LOG.warn("The circuit can not be worked on, trying again in {} ms", RETRY_MILLIS, e);
            parts.environment().schedule(RETRY_MILLIS, signal::raise);
        }
    }

    /** Does what can be done; false where there is nothing to do before a signal. */
    private boolean round() {
        Orders current = orders;
        CircuitRecord circuit = current.circuit();
        int process = circuit.getSeatsList().indexOf(parts.seat().name());
        if (circuit.getProgramDigest().isEmpty() || process < 0) {
            become(RunnerState.IDLE);
            return false;
        }
        RunRecord run = current.run();
        if (!current.isInForce() && run.getNumber() > leftRun) {
            // It may be over before this process has seen it, and the next one waits until all have left it.
            leftRun = run.getNumber();
            told = null;
        }
        if (state != RunnerState.REGISTERED || isNews(circuit)) {
            become(RunnerState.PREPARING);
            boolean isPrepared;
            try {
                isPrepared = prepare(circuit);
            } catch (ProgramInvalidException invalid) {
                refuse(circuit, String.valueOf(invalid.getMessage()));
                return false;
            }
            if (!isPrepared) {
                return true;
            }
            register(circuit);
            become(RunnerState.REGISTERED);
        }
        if (!isMine(current, run.getNumber()) || run.getNumber() <= leftRun || !namesThis(run, process)) {
            return false;
        }
        takePart(run, process);
        return true;
    }

    private boolean namesThis(RunRecord run, int process) {
        return process < run.getParticipantsCount()
                && run.getParticipants(process).getSeat().equals(parts.seat().name())
                && run.getParticipants(process).getIncarnation() == parts.seat().incarnation();
    }

    private boolean isNews(CircuitRecord circuit) {
        ParticipantRecord last = told;
        return last == null
                || last.getLife() != circuit.getLife()
                || !last.getProgramDigest().equals(circuit.getProgramDigest())
                || (last.hasPlanFailure()
                        && !last.getPlanFailure().getDecision().equals(circuit.getDecision()));
    }

    /** Builds the program and opens the state; false where the store has another program by now. */
    private boolean prepare(CircuitRecord circuit) {
        AcceptedProgram accepted = program;
        planFailure = null;
        if (accepted == null || !accepted.digest().equals(circuit.getProgramDigest())) {
            StoredProgram stored = StoredProgram.read(parts.store());
            if (!stored.isOf(circuit)) {
                return false;
            }
            accepted = build(circuit, stored);
        }
        if (accepted != null) {
            List<String> views = new ArrayList<>();
            accepted.program().views().forEach(view -> views.add(view.name()));
            views.add(StepErrors.VIEW);
            parts.shares().open(circuit.getLife(), views, circuit.getRetainedStepsMap());
        }
        if (local == null || localLife != circuit.getLife()) {
            closeLocal();
            local = new LocalState(
                    parts.disk(),
                    circuit.getName(),
                    circuit.getLife(),
                    parts.store().formats()::get);
            localLife = circuit.getLife();
        }
        local.retain(circuit.getRetainedVersions());
        return true;
    }

    /** Null where no circuit can be built of the recorded plan, which is told to the coordinator. */
    private @Nullable AcceptedProgram build(CircuitRecord circuit, StoredProgram stored) {
        try {
            AcceptedProgram built = parts.programs().stored(stored);
            program = built;
            return built;
        } catch (UnreadablePlanException e) {
            LOG.warn("The circuit can not be built: {}", e.getMessage());
            planFailure = PlanFailure.newBuilder()
                    .setDecision(circuit.getDecision())
                    .setMessage(String.valueOf(e.getMessage()))
                    .build();
            return null;
        }
    }

    /** Tells that the program can not be run here, and looks again after a while: a jar may have come. */
    private void refuse(CircuitRecord circuit, String why) {
        ParticipantRecord refused = ParticipantRecord.newBuilder()
                .setIncarnation(parts.seat().incarnation())
                .setProgramDigest(circuit.getProgramDigest())
                .setLife(circuit.getLife())
                .setLeftRun(leftRun)
                .setRefusal(why)
                .build();
        if (!refused.equals(told)) {
            LOG.error("The program of the circuit is refused: {}", why);
            tell(refused);
        }
        parts.environment().schedule(Programs.FETCH_AGAIN_MILLIS, signal::raise);
    }

    private void closeLocal() {
        LocalState open = local;
        local = null;
        if (open != null) {
            open.close();
        }
    }

    private void register(CircuitRecord circuit) {
        ParticipantRecord.Builder record = ParticipantRecord.newBuilder()
                .setIncarnation(parts.seat().incarnation())
                .setExchangeAddress(parts.exchange().address())
                .setAddress(parts.address())
                .setProgramDigest(circuit.getProgramDigest())
                .setLife(circuit.getLife())
                .addAllVersions(Objects.requireNonNull(local).versions())
                .setLeftRun(leftRun);
        if (failure != null) {
            record.setFailure(failure);
        }
        if (planFailure != null) {
            record.setPlanFailure(planFailure);
        }
        tell(record.build());
    }

    private void tell(ParticipantRecord participant) {
        parts.store()
                .database()
                .runAsync(transaction -> register(transaction, participant))
                .join();
        told = participant;
    }

    private CompletableFuture<Void> register(Transaction transaction, ParticipantRecord participant) {
        transaction.options().setTimeout(TIMEOUT_MILLIS);
        return parts.seat().fence(transaction).thenRun(() -> {
            DataflowStore.write(
                    transaction,
                    parts.store().participants(),
                    participant,
                    parts.seat().name());
            parts.store().count(transaction, Counter.TOLD, 1);
        });
    }

    private void takePart(RunRecord run, int process) {
        become(RunnerState.OPENING);
        failure = null;
        String left = "the run is over";
        try {
            List<ExchangePeer> peers = run.getParticipantsList().stream()
                    .map(peer -> new ExchangePeer(peer.getSeat(), peer.getIncarnation(), peer.getExchangeAddress()))
                    .toList();
            try (ExchangeSession session = parts.exchange().join(run.getNumber(), process, peers);
                    CounterWatch divided =
                            new CounterWatch(parts.store(), parts.environment(), Counter.ORDERED, signal::raise);
                    OpenRun open = open(run, process, session, divided)) {
                become(RunnerState.STEPPING);
                LOG.info("Run {} of the circuit goes on behind step {}", run.getNumber(), run.getStep());
                takeSteps(run, open);
            }
        } catch (PeersLostException e) {
            left = "another process is gone: " + e.getMessage();
        } catch (StepStoppedException e) {
            left = "step " + e.step() + ": " + e.getMessage();
            failure = failed(run, e.step(), String.valueOf(e.getMessage()));
        } catch (StepBrokenException e) {
            left = "step " + e.step() + ": " + e.getMessage();
            LOG.warn("Step {} of the circuit is broken off", e.step(), e);
            failure = failed(run, brokenStep == e.step() ? e.step() : 0, String.valueOf(e.getMessage()));
            brokenStep = brokenStep == e.step() ? 0 : e.step();
            pause();
        } catch (RuntimeException e) {
            left = String.valueOf(
                    (e instanceof CompletionException && e.getCause() != null ? e.getCause() : e).getMessage());
            LOG.warn("Run {} of the circuit is left behind step {}", run.getNumber(), step, e);
            failure = failed(run, 0, left);
            pause();
        } catch (Error e) {
            left = "step " + (step + 1) + ": " + e;
            LOG.error("Step {} of the circuit can not be taken", step + 1, e);
            failure = failed(run, step + 1, String.valueOf(e));
        } finally {
            joined = null;
            work.end();
            leftRun = run.getNumber();
            become(RunnerState.LEAVING);
            LOG.info("Run {} of the circuit is left behind step {}: {}", run.getNumber(), step, left);
            parts.shares().end(left);
        }
    }

    private static StepFailure failed(RunRecord run, long step, String message) {
        return StepFailure.newBuilder()
                .setRun(run.getNumber())
                .setStep(step)
                .setMessage(message)
                .build();
    }

    /** So that what fails at once does not fail all the time. */
    private void pause() {
        Signal over = new Signal();
        parts.environment().schedule(RETRY_MILLIS, over::raise);
        over.await();
    }

    private OpenRun open(RunRecord run, int process, ExchangeSession session, CounterWatch divided) {
        step = run.getStep();
        AtomicBoolean isLost = new AtomicBoolean();
        joined = new Joined(run.getNumber(), session, isLost);
        session.onLost(() -> {
            isLost.set(true);
            signal.raise();
            // Who is gone may be the coordinator, which the others find out late by themselves.
            session.gone().ifPresent(peer -> parts.liveness().suspect(peer.seat(), peer.incarnation()));
        });
        if (isOver(run)) {
            session.close();
        }
        DataflowStore store = parts.store();
        Environment environment = parts.environment();
        OpenRun.Parts opened = new OpenRun.Parts(
                new InputLogReader(store),
                new DigestReader(store),
                new ProgressWriter(store, parts.seat(), environment, run.getNumber(), process),
                new CircuitCheckpoints(store, parts.seat(), environment, run.getNumber()),
                parts.shares(),
                environment,
                signal,
                parts.smallStepRows());
        return new OpenRun(
                run,
                Objects.requireNonNull(program),
                Objects.requireNonNull(local).open(run.getVersion()),
                session,
                parts.seat().incarnation(),
                divided,
                opened);
    }

    private boolean isOver(RunRecord run) {
        Joined open = joined;
        return closed
                || !isMine(orders, run.getNumber())
                || open == null
                || open.isLost().get();
    }

    private void takeSteps(RunRecord run, OpenRun open) {
        work.begin(open);
        while (!isOver(run)) {
            Objects.requireNonNull(local).retain(orders.circuit().getRetainedVersions());
            open.takeSnapshots();
            boolean isTaken;
            try {
                isTaken = open.takeNext();
            } finally {
                step = open.step();
            }
            work.look(open, !isTaken);
            if (!isTaken) {
                signal.await();
            }
        }
    }

    /** Leaves the run and waits until the thread has ended. */
    @Override
    public void close() {
        closed = true;
        Joined open = joined;
        if (open != null) {
            open.session().close();
        }
        signal.raise();
        ended.join();
    }
}
