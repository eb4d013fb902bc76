/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.run;

import com.google.protobuf.ByteString;
import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.batch.RowDigest;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.CircuitPicture;
import dev.ratchet.circuits.circuit.OnError;
import dev.ratchet.circuits.circuit.OperatorMetrics;
import dev.ratchet.circuits.circuit.PeersLostException;
import dev.ratchet.circuits.circuit.StepErrors;
import dev.ratchet.circuits.circuit.StepFailedException;
import dev.ratchet.circuits.circuit.StepPipeline;
import dev.ratchet.circuits.circuit.StepRejectedException;
import dev.ratchet.circuits.state.OpenState;
import dev.ratchet.circuits.state.PendingCommit;
import dev.ratchet.circuits.state.StateRecord;
import dev.ratchet.dataflow.CircuitWork;
import dev.ratchet.dataflow.exchange.ExchangeSession;
import dev.ratchet.dataflow.follow.CounterWatch;
import dev.ratchet.dataflow.follow.Signal;
import dev.ratchet.dataflow.output.MissedStepException;
import dev.ratchet.dataflow.output.ViewShares;
import dev.ratchet.dataflow.record.AcceptedProgram;
import dev.ratchet.dataflow.record.LogPosition;
import dev.ratchet.dataflow.record.ProgramViews;
import dev.ratchet.dataflow.record.Programs;
import dev.ratchet.dataflow.record.ShardLayout;
import dev.ratchet.dataflow.run.DividedSteps.DividedStep;
import dev.ratchet.environment.Environment;
import dev.ratchet.protocol.dataflow.v1.DigestRecord;
import dev.ratchet.protocol.dataflow.v1.DivisionRecord;
import dev.ratchet.protocol.dataflow.v1.ProgressRecord;
import dev.ratchet.protocol.dataflow.v1.RunRecord;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The circuit of one run as this process has it open: takes steps one after the other. What a step does depends on its
 * division and the state before it alone, so that it does the same whenever it is taken again. One thread at a time.
 */
final class OpenRun implements AutoCloseable {

    /** What a run works with. */
    record Parts(
            InputLogReader log,
            DigestReader digests,
            ProgressWriter progress,
            CircuitCheckpoints checkpoints,
            ViewShares shares,
            Environment environment,
            Signal signal,
            int smallStepRows) {}

    /**
     * Whose rows are in the tables of the circuit.
     *
     * @param received how many, by table
     * @param nanos how long that has taken
     */
    private record AddedRows(Map<String, Long> received, long nanos) {}

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final RunRecord run;
    private final AcceptedProgram program;
    private final OpenState state;
    private final ExchangeSession peers;
    private final long incarnation;
    private final Parts parts;
    private final Circuit circuit;
    private final StepPipeline pipeline;
    private final DividedSteps steps;
    private final RequestRows rows;
    private final RowErrors errors;
    private final RowDigest.Key digestKey;
    private final StepCounts counts;
    private final long beganNanos;
    private final byte[] layout;
    private long step;
    private long computedNanos;

    /** The next step, where its input has been read. */
    private @Nullable DividedStep following;

    /** Of {@link #following}, where they have been added. */
    private @Nullable AddedRows followingRows;

    /** Whether the circuit has computed the step that is being taken. */
    private boolean isComputed;

    OpenRun(
            RunRecord run,
            AcceptedProgram program,
            OpenState state,
            ExchangeSession peers,
            long incarnation,
            CounterWatch divided,
            Parts parts) {
        this.run = run;
        this.program = program;
        this.state = state;
        this.peers = peers;
        this.incarnation = incarnation;
        this.parts = parts;
        this.beganNanos = parts.environment().nanoTime();
        this.step = run.getStep();
        this.steps = new DividedSteps(parts.log(), divided, step, LogPosition.decoded(run.getPosition()));
        this.counts = new StepCounts(state.record().attributes());
        this.layout = ShardLayout.layout(run);
        ShardLayout.check(state.record(), run, peers.self());
        this.circuit = new Circuit(
                program.program().plan(),
                CircuitOptions.inMemory(run.getThreads())
                        .withThreads(parts.environment().threads())
                        .withSmallStepRows(parts.smallStepRows())
                        .withPeers(peers)
                        .withShards(ShardLayout.map(run))
                        .withState(state)
                        .withViews()
                        .withOnError(run.getStopOnError() ? OnError.STOP : OnError.COLLECT));
        this.pipeline = new StepPipeline(circuit);
        this.rows = new RequestRows(program.program(), circuit);
        this.errors = new RowErrors(state);
        this.digestKey = digestKey(program.program().fingerprint());
        circuit.publish(step);
        parts.shares().begin(step);
    }

    /** What was done since the run began; only between steps. */
    CircuitWork work() {
        List<OperatorMetrics> operators = circuit.metrics();
        CircuitPicture picture = new CircuitPicture(
                program.program().plan(), operators, parts.environment().nanoTime() - beganNanos);
        return new CircuitWork(operators, circuit.threadNanos(), Optional.of(picture));
    }

    /** The last step that was taken. */
    long step() {
        return step;
    }

    /**
     * Takes the next step, if it is divided, and adds the rows of the one behind it while it runs. Blocks.
     *
     * @return whether a step was taken; the watch is set where none is
     * @throws StepStoppedException where one can not be taken
     * @throws StepBrokenException where something else has gone wrong with one
     * @throws PeersLostException where another process is gone
     */
    boolean takeNext() {
        check();
        DividedStep next = following == null ? steps.next() : following;
        if (next == null) {
            return false;
        }
        AddedRows added = followingRows;
        following = null;
        followingRows = null;
        if (added == null) {
            if (next.number() <= run.getCarefulStep()) {
                parts.progress()
                        .attempt(progress().setAttemptedStep(next.number()).build());
            }
            added = add(next);
        }
        take(next, added);
        return true;
    }

    private AddedRows add(DividedStep divided) {
        long began = parts.environment().nanoTime();
        Map<String, Long> received = new HashMap<>();
        try {
            divided.requests().forEach(request -> rows.add(request, errors, received));
        } catch (RuntimeException e) {
            throw new StepBrokenException(divided.number(), e);
        }
        return new AddedRows(received, parts.environment().nanoTime() - began);
    }

    private void take(DividedStep divided, AddedRows added) {
        long next = divided.number();
        long began = parts.environment().nanoTime() - added.nanos();
        isComputed = false;
        try {
            if (!step(divided, added, began)) {
                oneByOne(divided, began);
            }
        } catch (StepFailedException e) {
            throw new StepStoppedException(next, String.valueOf(e.getMessage()), e);
        } catch (PeersLostException | StepStoppedException | UncheckedIOException e) {
            throw e;
        } catch (RuntimeException e) {
            if (isComputed) {
                throw e;
            }
            throw new StepBrokenException(next, e);
        }
    }

    /** Whether the circuit accepts what was added. */
    private boolean step(DividedStep divided, AddedRows added, long began) {
        addErrors(divided.number());
        try {
            pipeline.begin(() -> {
                Map<String, List<Batch>> changes = new TreeMap<>();
                collect(changes);
                taken(divided, added.received(), changes, began);
            });
            try {
                addFollowing(divided.number() + 1);
            } finally {
                pipeline.await();
            }
            return true;
        } catch (StepRejectedException refused) {
            // Rows of the next step have gone with those of this one.
            followingRows = null;
            errors.take();
            return false;
        }
    }

    /**
     * Adds the rows of the step behind the one that is under way, where it is divided before that one is over. One that
     * may end this process is left for its own turn, so that it is known which it was.
     */
    private void addFollowing(long number) {
        if (number <= run.getCarefulStep() || !pipeline.isUnderWay()) {
            return;
        }
        pipeline.onEnd(parts.signal()::raise);
        while (pipeline.isUnderWay()) {
            following = steps.next();
            if (following != null) {
                followingRows = add(following);
                return;
            }
            parts.signal().await();
        }
    }

    /** Whatever follows the computation of a step, on its thread. */
    private void taken(DividedStep divided, Map<String, Long> received, Map<String, List<Batch>> parted, long began) {
        isComputed = true;
        received.forEach((table, count) -> counts.received.merge(table, count, Long::sum));
        Map<String, Batch> changes = summed(parted);
        long nanos = parts.environment().nanoTime() - began;
        computedNanos += nanos;
        DigestRecord digest = digest(changes);
        if (divided.number() <= run.getReplayedStep()) {
            compare(divided.number(), digest, changes);
        }
        step = divided.number();
        changes.forEach((view, batch) -> counts.changed.merge(view, batch.rowCount(), Long::sum));
        circuit.publish(step);
        publish(changes);
        DivisionRecord division = divided.division();
        if (division.getVersion() != 0) {
            checkpoint(division.getVersion());
        }
        parts.progress()
                .finished(
                        progress()
                                .setStepMillis(nanos / NANOS_PER_MILLI)
                                .setStepLines(division.getLines())
                                .setStepBytes(division.getBytes())
                                .build(),
                        digest);
    }

    private static Map<String, Batch> summed(Map<String, List<Batch>> changes) {
        Map<String, Batch> summed = new TreeMap<>();
        changes.forEach(
                (view, some) -> summed.put(view, BatchMerge.merge(some.get(0).schema(), some)));
        summed.values().removeIf(Batch::isEmpty);
        return summed;
    }

    private void publish(Map<String, Batch> changes) {
        try {
            parts.shares().publish(step, changes);
        } catch (MissedStepException missed) {
            throw new StepStoppedException(step, String.valueOf(missed.getMessage()), missed);
        }
    }

    private ProgressRecord.Builder progress() {
        return ProgressRecord.newBuilder()
                .setIncarnation(incarnation)
                .setRun(run.getNumber())
                .setStep(step)
                .setComputedMillis(computedNanos / NANOS_PER_MILLI)
                .putAllReceivedRows(counts.received)
                .putAllViewRows(counts.changed)
                .setErrorRows(counts.errors);
    }

    /** A request that a table does not accept is left out alone: all others of the step are in it. */
    private void oneByOne(DividedStep divided, long began) {
        long next = divided.number();
        Map<String, Long> received = new HashMap<>();
        Map<String, List<Batch>> changes = new TreeMap<>();
        List<LoggedRequest> refused = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        for (LoggedRequest request : divided.requests()) {
            Map<String, Long> added = new HashMap<>();
            rows.add(request, errors, added);
            addErrors(next);
            try {
                circuit.step();
                added.forEach((table, count) -> received.merge(table, count, Long::sum));
                collect(changes);
            } catch (StepRejectedException e) {
                refused.add(request);
                reasons.add(String.valueOf(e.getMessage()));
            }
        }
        for (int i = 0; i < reasons.size(); i++) {
            errors.add(refused.get(i).head(), reasons.get(i));
        }
        addErrors(next);
        circuit.step();
        collect(changes);
        taken(divided, received, changes, began);
    }

    /** Hands over what is wrong with rows, which all processes find; each puts out its share. */
    private void addErrors(long next) {
        long found = errors.count();
        Batch rowErrors = errors.take();
        if (run.getStopOnError() && found > 0) {
            throw new StepStoppedException(
                    next,
                    rowErrors.cursor().stringAt(1) + ": " + rowErrors.cursor().stringAt(2));
        }
        circuit.addErrors(rowErrors);
    }

    private void collect(Map<String, List<Batch>> changes) {
        program.program().views().forEach(view -> changes.computeIfAbsent(view.name(), name -> new ArrayList<>())
                .add(circuit.output(view.name())));
        Batch failed = circuit.errors();
        counts.errors += weight(failed);
        changes.computeIfAbsent(StepErrors.VIEW, name -> new ArrayList<>()).add(failed);
    }

    private static long weight(Batch rows) {
        long weight = 0;
        for (var row = rows.cursor(); row.valid(); row.next()) {
            weight += row.weight();
        }
        return weight;
    }

    private DigestRecord digest(Map<String, Batch> changes) {
        DigestRecord.Builder digest = DigestRecord.newBuilder();
        changes.forEach((view, batch) -> digest.putChanges(
                view, ByteString.copyFrom(RowDigest.of(digestKey, batch).bytes())));
        return digest.build();
    }

    /** The same in all processes and runs of a life, whose state is of one fingerprint. */
    private static RowDigest.Key digestKey(String fingerprint) {
        String digest = Programs.digest("changes of " + fingerprint);
        return new RowDigest.Key(
                HexFormat.fromHexDigitsToLong(digest, 0, 16), HexFormat.fromHexDigitsToLong(digest, 16, 32));
    }

    private void compare(long next, DigestRecord digest, Map<String, Batch> changes) {
        DigestRecord before = parts.digests().read(next, peers.self());
        if (before == null) {
            return;
        }
        Set<String> differ = new TreeSet<>();
        before.getChangesMap().forEach((view, then) -> {
            if (!then.equals(digest.getChangesMap().get(view))) {
                differ.add(view);
            }
        });
        digest.getChangesMap().keySet().stream()
                .filter(view -> !before.containsChanges(view))
                .forEach(differ::add);
        if (!differ.isEmpty()) {
            throw new StepStoppedException(
                    next,
                    "step " + next + " was taken again and does not change the same as before in " + differ
                            + " of process " + peers.self()
                            + ": the program computes what does not depend on its input alone,"
                            + " or the state is damaged; now it changes "
                            + ChangedRows.shown(ProgramViews.of(program.program()), differ, changes));
        }
    }

    private void checkpoint(long version) {
        // Done long since, but where steps of several versions are taken again.
        parts.checkpoints().await();
        check();
        Map<String, String> attributes = new TreeMap<>(circuit.attributes());
        attributes.putAll(counts.attributes());
        PendingCommit commit =
                state.prepare(new StateRecord(step + 1, program.program().fingerprint(), layout, attributes));
        if (commit.version() != version) {
            throw new StepStoppedException(
                    step,
                    "step " + step + " makes version " + version + " of the state, but process " + peers.self()
                            + " has version " + (commit.version() - 1) + " before it: its state is damaged");
        }
        computedNanos = 0;
        parts.checkpoints().begin(commit, step);
    }

    /** Throws where the last version could not be made durable. */
    void check() {
        parts.checkpoints().check();
    }

    /** Gives snapshots to those who wait for one. */
    void takeSnapshots() {
        parts.shares().takeSnapshots(step, view -> circuit.rows(view).batch());
    }

    @Override
    public void close() {
        peers.close();
        pipeline.close();
        circuit.close();
        parts.progress().close();
        parts.checkpoints().await();
    }
}
