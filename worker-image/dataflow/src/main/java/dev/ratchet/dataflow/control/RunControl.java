/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.control;

import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.record.ShardLayout;
import dev.ratchet.membership.Liveness;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.dataflow.v1.DivisionRecord;
import dev.ratchet.protocol.dataflow.v1.DurableRecord;
import dev.ratchet.protocol.dataflow.v1.ParticipantRecord;
import dev.ratchet.protocol.dataflow.v1.ProgressRecord;
import dev.ratchet.protocol.dataflow.v1.RunParticipant;
import dev.ratchet.protocol.dataflow.v1.RunRecord;
import dev.ratchet.protocol.dataflow.v1.StepFailure;
import dev.ratchet.protocol.dataflow.v1.StopKind;
import dev.ratchet.protocol.dataflow.v1.StopRecord;
import dev.ratchet.protocol.dataflow.v1.StoredVersion;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Begins and ends runs, and stops the circuit where a person must decide. Each call is part of one transaction. */
final class RunControl {

    private final DataflowStore store;
    private final Liveness liveness;

    RunControl(DataflowStore store, Liveness liveness) {
        this.store = store;
        this.liveness = liveness;
    }

    /** Ends the run if it can not go on; false where it can. */
    boolean end(Transaction transaction, ClusterRecords records) {
        RunRecord run = records.run();
        String reason = null;
        boolean died = false;
        CircuitRecord.Builder circuit = records.circuit().toBuilder();
        for (RunParticipant member : run.getParticipantsList()) {
            ParticipantRecord now =
                    records.participants().getOrDefault(member.getSeat(), ParticipantRecord.getDefaultInstance());
            boolean isDead = now.getIncarnation() != member.getIncarnation()
                    || liveness.isDead(member.getSeat(), member.getIncarnation());
            if (isDead) {
                died = true;
                reason = "the process of " + member.getSeat() + " is gone";
                suspect(transaction, circuit, records, member.getSeat());
            } else if (now.getLeftRun() >= run.getNumber()) {
                reason = reason == null ? "the process of " + member.getSeat() + " has left it" : reason;
                if (now.getFailure().getRun() == run.getNumber()) {
                    reason = now.getFailure().getMessage();
                    stopWhereFailed(transaction, circuit, run, now);
                }
            }
        }
        reason = reason == null ? endOfSettings(records) : reason;
        if (reason == null) {
            return false;
        }
        RunRecord.Builder ended = run.toBuilder().setEnded(true).setEndReason(reason);
        if (died) {
            ended.setCarefulStep(records.lastStep());
        }
        DataflowStore.write(transaction, store.run(), ended.build());
        DataflowStore.write(transaction, store.circuit(), circuit.build());
        return true;
    }

    private static @Nullable String endOfSettings(ClusterRecords records) {
        CircuitRecord circuit = records.circuit();
        RunRecord run = records.run();
        if (circuit.hasStop()) {
            return circuit.getStop().getMessage();
        }
        if (circuit.getWithdrawn()) {
            return "the configuration names no circuit";
        }
        if (!circuit.getProgramDigest().equals(run.getProgramDigest())
                || circuit.getStopOnError() != run.getStopOnError()) {
            return "the program's settings have changed";
        }
        boolean allDurable = circuit.getVersionStep() == records.lastStep() && records.isDurable(circuit.getVersion());
        return circuit.getSuspended() && (allDurable || records.lastStep() == circuit.getFirstStep())
                ? "the circuit is suspended"
                : null;
    }

    /**
     * A step in which the process of one seat ends twice is not begun again. The first time it is the one step that the
     * process had not finished, if there was one; then each is told before it is begun.
     */
    private void suspect(Transaction transaction, CircuitRecord.Builder circuit, ClusterRecords records, String seat) {
        ProgressRecord progress = records.progress().getOrDefault(seat, ProgressRecord.getDefaultInstance());
        if (progress.getRun() != records.run().getNumber()) {
            return;
        }
        boolean isTold = progress.getAttemptedStep() > progress.getStep();
        long attempted = isTold ? progress.getAttemptedStep() : progress.getStep() + 1;
        if (!isTold && attempted != records.lastStep()) {
            return;
        }
        if (isTold && attempted == circuit.getSuspectStep() && seat.equals(circuit.getSuspectSeat())) {
            stopBefore(
                    transaction,
                    circuit,
                    attempted,
                    "the process of " + seat + " has ended each time it took step " + attempted);
        }
        circuit.setSuspectStep(attempted).setSuspectSeat(seat);
    }

    /**
     * Stops before a step that has failed in a run. The run may have ended before the process that failed has told so:
     * the others leave it, too.
     */
    private void stopWhereFailed(
            Transaction transaction, CircuitRecord.Builder circuit, RunRecord run, ParticipantRecord participant) {
        StepFailure failure = participant.getFailure();
        if (failure.getRun() == run.getNumber() && failure.getStep() > 0 && circuit.getFailedRun() < run.getNumber()) {
            circuit.setFailedRun(run.getNumber());
            stopBefore(transaction, circuit, failure.getStep(), failure.getMessage());
        }
    }

    private void stopBefore(Transaction transaction, CircuitRecord.Builder circuit, long step, String message) {
        stop(circuit, StopKind.STOP_KIND_STEP, step, message + StepInput.of(transaction, store, step));
    }

    private static void stop(CircuitRecord.Builder circuit, StopKind kind, long step, String message) {
        if (!circuit.hasStop()) {
            long number = circuit.getStops() + 1;
            circuit.setStops(number)
                    .setStop(StopRecord.newBuilder()
                            .setNumber(number)
                            .setKind(kind)
                            .setStep(step)
                            .setMessage(message));
        }
    }

    /** Begins a run if all processes wait for one; false where one does not, or none is to be. */
    boolean begin(Transaction transaction, ClusterRecords records, long term) {
        CircuitRecord circuit = records.circuit();
        if (circuit.getWithdrawn() || circuit.getSuspended() || circuit.hasStop()) {
            return false;
        }
        String failure = planFailure(records);
        if (failure != null) {
            CircuitRecord.Builder stopped = circuit.toBuilder();
            stop(stopped, StopKind.STOP_KIND_PLAN, 0, failure);
            DataflowStore.write(transaction, store.circuit(), stopped.build());
            return true;
        }
        if (waitsFor(records) != null) {
            return false;
        }
        CircuitRecord.Builder failed = circuit.toBuilder();
        records.participants()
                .values()
                .forEach(participant -> stopWhereFailed(transaction, failed, records.run(), participant));
        if (failed.hasStop()) {
            DataflowStore.write(transaction, store.circuit(), failed.build());
            return true;
        }
        StoredVersion version = common(records);
        if (version == null && circuit.getTrimmedStep() <= circuit.getFirstStep()) {
            DataflowStore.write(
                    transaction, store.circuit(), anew(transaction, circuit).build());
            return true;
        }
        CircuitRecord.Builder changed = circuit.toBuilder();
        if (version == null) {
            stop(
                    changed,
                    StopKind.STOP_KIND_STATE,
                    circuit.getVersionStep(),
                    "no version of the state is there on all workers: " + versions(records));
            DataflowStore.write(transaction, store.circuit(), changed.build());
            return true;
        }
        begin(transaction, records, term, version);
        return true;
    }

    private void begin(Transaction transaction, ClusterRecords records, long term, StoredVersion version) {
        CircuitRecord circuit = records.circuit();
        RunRecord before = records.run();
        RunRecord.Builder run = RunRecord.newBuilder()
                .setNumber(before.getNumber() + 1)
                .setTerm(term)
                .setLife(circuit.getLife())
                .setVersion(version.getVersion())
                .setStep(version.getStep())
                .setProgramDigest(circuit.getProgramDigest())
                .setThreads(circuit.getThreads())
                .setAssignment(
                        circuit.hasAssignment()
                                ? circuit.getAssignment()
                                : ShardLayout.equal(circuit.getSeatsCount(), circuit.getThreads()))
                .setStopOnError(circuit.getStopOnError())
                .setReplayedStep(records.lastStep())
                .setCarefulStep(before.getLife() == circuit.getLife() ? before.getCarefulStep() : 0);
        for (String seat : circuit.getSeatsList()) {
            ParticipantRecord participant =
                    Objects.requireNonNull(records.participants().get(seat));
            run.addParticipants(RunParticipant.newBuilder()
                    .setSeat(seat)
                    .setIncarnation(participant.getIncarnation())
                    .setExchangeAddress(participant.getExchangeAddress())
                    .setAddress(participant.getAddress()));
        }
        store.durable()
                .clearBetween(
                        transaction,
                        store.durable().key(version.getVersion()),
                        store.durable().range().end);
        DurableRecord durable =
                DurableRecord.newBuilder().setStep(version.getStep()).build();
        circuit.getSeatsList()
                .forEach(
                        seat -> DataflowStore.write(transaction, store.durable(), durable, version.getVersion(), seat));
        ByteString position = version.getStep() == circuit.getFirstStep()
                ? circuit.getFirstPosition()
                : transaction
                        .get(store.divisions().key(version.getStep()))
                        .thenApply(store.divisions()::decode)
                        .join()
                        .getEnd();
        DataflowStore.write(transaction, store.run(), run.setPosition(position).build());
    }

    /** Why a process can not build the circuit of the recorded plan, null where none has said so. */
    private static @Nullable String planFailure(ClusterRecords records) {
        CircuitRecord circuit = records.circuit();
        for (String seat : circuit.getSeatsList()) {
            ParticipantRecord participant =
                    records.participants().getOrDefault(seat, ParticipantRecord.getDefaultInstance());
            if (participant.hasPlanFailure()
                    && participant.getProgramDigest().equals(circuit.getProgramDigest())
                    && participant.getPlanFailure().getDecision().equals(circuit.getDecision())) {
                return participant.getPlanFailure().getMessage() + " (on " + seat + ")";
            }
        }
        return null;
    }

    /** The seat whose process does not wait for a run, null where all do. */
    @Nullable
    String waitsFor(ClusterRecords records) {
        CircuitRecord circuit = records.circuit();
        for (String seat : circuit.getSeatsList()) {
            ParticipantRecord participant =
                    records.participants().getOrDefault(seat, ParticipantRecord.getDefaultInstance());
            boolean isReady = participant.getIncarnation() != 0
                    && participant.getRefusal().isEmpty()
                    && participant.getLife() == circuit.getLife()
                    && !participant.hasPlanFailure()
                    && participant.getProgramDigest().equals(circuit.getProgramDigest())
                    && (participant.getLeftRun() >= records.run().getNumber() || !tookPart(records, seat, participant))
                    && !liveness.isDead(seat, participant.getIncarnation());
            if (!isReady) {
                return seat;
            }
        }
        return null;
    }

    private static boolean tookPart(ClusterRecords records, String seat, ParticipantRecord participant) {
        return records.run().getParticipantsList().stream()
                .anyMatch(member ->
                        member.getSeat().equals(seat) && member.getIncarnation() == participant.getIncarnation());
    }

    /** The newest version that all processes have. */
    private static @Nullable StoredVersion common(ClusterRecords records) {
        CircuitRecord circuit = records.circuit();
        TreeMap<Long, Long> steps = new TreeMap<>();
        TreeSet<Long> common = null;
        for (String seat : circuit.getSeatsList()) {
            TreeSet<Long> has = new TreeSet<>();
            for (StoredVersion version :
                    Objects.requireNonNull(records.participants().get(seat)).getVersionsList()) {
                long step = version.getVersion() == 0 ? circuit.getFirstStep() : version.getStep();
                Long other = steps.putIfAbsent(version.getVersion(), step);
                if ((other == null || other == step) && step >= circuit.getTrimmedStep()) {
                    has.add(version.getVersion());
                }
            }
            if (common == null) {
                common = has;
            } else {
                common.retainAll(has);
            }
        }
        if (common == null || common.isEmpty()) {
            return null;
        }
        // What changed behind the position of a consumer is there once its steps are taken again.
        Long kept = common.floor(steps.entrySet().stream()
                .filter(version -> version.getValue() <= records.consumedStep())
                .mapToLong(Map.Entry::getKey)
                .max()
                .orElse(Long.MAX_VALUE));
        long newest = kept == null ? common.last() : kept;
        return StoredVersion.newBuilder()
                .setVersion(newest)
                .setStep(Objects.requireNonNull(steps.get(newest)))
                .build();
    }

    private static String versions(ClusterRecords records) {
        Map<String, Object> has = new TreeMap<>();
        records.circuit()
                .getSeatsList()
                .forEach(seat -> has.put(
                        seat,
                        Objects.requireNonNull(records.participants().get(seat)).getVersionsList().stream()
                                .map(StoredVersion::getVersion)
                                .toList()));
        return has.toString();
    }

    /** All processes begin with nothing, behind what the log has no more. */
    private CircuitRecord.Builder anew(Transaction transaction, CircuitRecord circuit) {
        store.durable().clearAll(transaction);
        store.divisionsAfter(transaction, circuit.getTrimmedStep(), Integer.MAX_VALUE)
                .join()
                .forEach((step, division) -> {
                    if (division.getVersion() != 0) {
                        DivisionRecord unmarked =
                                division.toBuilder().clearVersion().build();
                        DataflowStore.write(transaction, store.divisions(), unmarked, step);
                    }
                });
        if (circuit.getTrimmedStep() > circuit.getFirstStep()) {
            store.digests().clearAll(transaction);
        }
        return circuit.toBuilder()
                .setLife(circuit.getLife() + 1)
                .setFirstStep(circuit.getTrimmedStep())
                .setFirstPosition(circuit.getTrimmedPosition())
                .setVersion(0)
                .setVersionStep(circuit.getTrimmedStep())
                .setSuspectStep(0);
    }

    /** Carries out what a person has decided; false where that is nothing new. */
    boolean decide(Transaction transaction, ClusterRecords records, String decision) {
        CircuitRecord circuit = records.circuit();
        StopRecord stop = circuit.getStop();
        if (!circuit.hasStop() || decision.isEmpty() || decision.equals(circuit.getDecision())) {
            return false;
        }
        CircuitRecord.Builder decided = circuit.toBuilder();
        if (decision.equals("restart-" + stop.getNumber())) {
            decided = anew(transaction, circuit);
        } else if (decision.equals("skip-" + stop.getNumber()) && stop.getKind() == StopKind.STOP_KIND_STEP) {
            skip(transaction, stop.getStep());
        } else if (decision.equals("replan-" + stop.getNumber()) && stop.getKind() == StopKind.STOP_KIND_PLAN) {
            decided.clearPlanDigest();
        } else if (!decision.equals("retry-" + stop.getNumber())) {
            return false;
        }
        decided.clearStop().setSuspectStep(0).setDecision(decision);
        DataflowStore.write(transaction, store.circuit(), decided.build());
        return true;
    }

    private void skip(Transaction transaction, long step) {
        CompletableFuture<DivisionRecord> division =
                DataflowStore.read(transaction, store.divisions(), DivisionRecord.getDefaultInstance(), step);
        DataflowStore.write(
                transaction,
                store.divisions(),
                division.join().toBuilder().setSkipped(true).build(),
                step);
        // What follows is taken with another state than before.
        store.digests()
                .clearBetween(
                        transaction,
                        store.digests().range(step).begin,
                        store.digests().range().end);
    }
}
