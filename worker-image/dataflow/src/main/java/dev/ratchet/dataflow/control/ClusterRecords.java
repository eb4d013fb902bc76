/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.control;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Versionstamp;
import dev.ratchet.dataflow.follow.Orders;
import dev.ratchet.dataflow.record.Counter;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.record.LogPosition;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.dataflow.v1.ConsumerRecord;
import dev.ratchet.protocol.dataflow.v1.DivisionRecord;
import dev.ratchet.protocol.dataflow.v1.DurableRecord;
import dev.ratchet.protocol.dataflow.v1.ParticipantRecord;
import dev.ratchet.protocol.dataflow.v1.ProgressRecord;
import dev.ratchet.protocol.dataflow.v1.RunRecord;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * What the coordinator decides on, as of one version of the store.
 *
 * @param durable by version and seat
 * @param consumers who takes views step by step, by name
 * @param consumedStep up to which all who take views step by step have them; the largest number where nobody does
 * @param lastStep of the last division, or the step before the first
 * @param last the last division
 */
record ClusterRecords(
        CircuitRecord circuit,
        RunRecord run,
        Map<String, ParticipantRecord> participants,
        Map<String, ProgressRecord> progress,
        SortedMap<Long, Map<String, DurableRecord>> durable,
        Map<String, ConsumerRecord> consumers,
        long consumedStep,
        long lastStep,
        DivisionRecord last,
        long waitingBytes) {

    /** Steps that may be divided beyond what all consumers have: what these changed is kept in memory for them. */
    private static final long CONSUMER_STEPS_MAX = 64;

    /** As far as a process knows that has taken a step. */
    static ClusterRecords of(Orders orders, long step) {
        Map<String, ProgressRecord> progress = new TreeMap<>();
        orders.circuit()
                .getSeatsList()
                .forEach(seat -> progress.put(
                        seat,
                        ProgressRecord.newBuilder()
                                .setRun(orders.run().getNumber())
                                .setStep(step)
                                .build()));
        return new ClusterRecords(
                orders.circuit(),
                orders.run(),
                Map.of(),
                progress,
                new TreeMap<>(),
                Map.of(),
                Long.MAX_VALUE,
                step,
                DivisionRecord.getDefaultInstance(),
                0);
    }

    /** Only what the coordinator writes is read so that a change of it conflicts: all else only grows. */
    static CompletableFuture<ClusterRecords> read(Transaction transaction, DataflowStore store) {
        var snapshot = transaction.snapshot();
        CompletableFuture<Orders> orders = Orders.read(transaction, store);
        CompletableFuture<Map<String, ParticipantRecord>> participants =
                DataflowStore.byName(snapshot, store.participants());
        CompletableFuture<Map<String, ProgressRecord>> progress = DataflowStore.byName(snapshot, store.progress());
        CompletableFuture<SortedMap<Long, Map<String, DurableRecord>>> durable = store.durables(snapshot);
        CompletableFuture<List<KeyValue>> division =
                transaction.getRange(store.divisions().range(), 1, true).asList();
        CompletableFuture<Long> waiting = store.counted(snapshot, Counter.WAITING_BYTES);
        return CompletableFuture.allOf(orders, participants, progress, durable, division, waiting)
                .thenApply(all -> {
                    CircuitRecord circuit = orders.join().circuit();
                    long lastStep = circuit.getFirstStep();
                    DivisionRecord last = DivisionRecord.newBuilder()
                            .setEnd(circuit.getFirstPosition())
                            .build();
                    if (!division.join().isEmpty()) {
                        var row = division.join().get(0);
                        lastStep = store.divisions().elements(row.getKey()).getLong(0);
                        last = store.divisions().decode(row.getValue());
                    }
                    return new ClusterRecords(
                            circuit,
                            orders.join().run(),
                            participants.join(),
                            progress.join(),
                            durable.join(),
                            orders.join().consumers(),
                            orders.join().consumedSteps().values().stream()
                                    .mapToLong(Long::longValue)
                                    .min()
                                    .orElse(Long.MAX_VALUE),
                            lastStep,
                            last,
                            waiting.join());
                });
    }

    /** Whether input waits until who takes views step by step has more of them. */
    boolean isHeld() {
        return stepsUntilHeld() <= 0;
    }

    /** How many steps may be divided for who takes views step by step. */
    long stepsUntilHeld() {
        return consumedStep == Long.MAX_VALUE ? Long.MAX_VALUE : consumedStep + CONSUMER_STEPS_MAX - lastStep;
    }

    /**
     * By view, how many finished steps who takes it step by step does not have yet, the slowest one of several. One
     * that has stopped is behind, too, though nothing waits for it.
     */
    Map<String, Long> lagSteps() {
        Map<String, Long> behind = new TreeMap<>();
        long finished = finishedStep();
        consumers.values().stream()
                .filter(consumer -> consumer.getLife() == circuit.getLife())
                .forEach(consumer ->
                        behind.merge(consumer.getView(), Math.max(0, finished - consumer.getStep()), Math::max));
        return behind;
    }

    boolean isRunning() {
        return new Orders(circuit, run, Map.of()).isInForce();
    }

    /** The last step that all processes of the run have taken. */
    long finishedStep() {
        return circuit.getSeatsList().stream().mapToLong(this::stepOf).min().orElse(run.getStep());
    }

    private long stepOf(String seat) {
        ProgressRecord of = progress.get(seat);
        return of == null || of.getRun() != run.getNumber() ? run.getStep() : of.getStep();
    }

    /** Whether all processes have a version on their disks; of version 0 that is so from the beginning. */
    boolean isDurable(long version) {
        return version == 0 || durable.getOrDefault(version, Map.of()).keySet().containsAll(circuit.getSeatsList());
    }

    /** The last version that all processes have on their disks; 0 for none. */
    long durableVersion() {
        long version = circuit.getVersion();
        return version == 0 || isDurable(version) ? version : version - 1;
    }

    /** The step behind which a version is that is durable. */
    long stepOf(long version) {
        return version == circuit.getVersion()
                ? circuit.getVersionStep()
                : durable.getOrDefault(version, Map.of()).values().stream()
                        .mapToLong(DurableRecord::getStep)
                        .findFirst()
                        .orElse(circuit.getFirstStep());
    }

    Versionstamp lastPosition() {
        return LogPosition.decoded(last.getEnd());
    }
}
