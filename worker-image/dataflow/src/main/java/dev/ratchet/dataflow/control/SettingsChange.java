/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.control;

import com.apple.foundationdb.Transaction;
import dev.ratchet.circuits.circuit.OnError;
import dev.ratchet.circuits.sql.RepeatedKeys;
import dev.ratchet.dataflow.DataflowSettings;
import dev.ratchet.dataflow.JarSource;
import dev.ratchet.dataflow.ProgramSource;
import dev.ratchet.dataflow.record.AcceptedProgram;
import dev.ratchet.dataflow.record.Counter;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.record.ListingDifference;
import dev.ratchet.dataflow.record.ShardLayout;
import dev.ratchet.dataflow.record.StoredProgram;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Brings the circuit's record to what the configuration says. What can not be is refused, and the circuit goes on as it
 * was: the refusal says why.
 */
final class SettingsChange {

    /** What the configuration says, with the program or the mistake in it. */
    record Wanted(
            Optional<DataflowSettings> settings, @Nullable AcceptedProgram program, String mistake, boolean isKnown) {
        static final Wanted NOTHING = new Wanted(Optional.empty(), null, "", true);

        /** The program is being made: all stays as it is until then. */
        static final Wanted PENDING = new Wanted(Optional.empty(), null, "", false);

        static Wanted of(DataflowSettings settings, AcceptedProgram program) {
            return new Wanted(Optional.of(settings), program, "", true);
        }

        /** Whether a class can not be used, be it that its jar is not there yet. */
        boolean isWithoutJar() {
            return program == null
                    && settings.filter(found -> found.program() instanceof ProgramSource.OfClass)
                            .isPresent();
        }

        static Wanted mistaken(DataflowSettings settings, String mistake) {
            return new Wanted(Optional.of(settings), null, mistake, true);
        }
    }

    private SettingsChange() {}

    /** Writes what is to change; false where nothing is. */
    static boolean apply(
            Transaction transaction,
            DataflowStore store,
            JarSource jars,
            ClusterRecords records,
            Wanted wanted,
            List<String> seats) {
        if (!wanted.isKnown()) {
            return false;
        }
        CircuitRecord before = records.circuit();
        DataflowSettings settings = wanted.settings().orElse(null);
        CircuitRecord after;
        if (settings == null) {
            after = before.getName().isEmpty()
                    ? before
                    : before.toBuilder().setWithdrawn(true).build();
        } else if (before.getSeatsCount() == 0 || !before.getName().equals(settings.name())) {
            after = begun(transaction, store, before, settings, wanted, seats);
        } else {
            after = changed(transaction, store, before, settings, wanted, seats);
        }
        // One that is refused has no say: the views are those of the program that goes on.
        AcceptedProgram program = wanted.program();
        boolean changed = settings != null
                && program != null
                && program.digest().equals(after.getProgramDigest())
                && SinkConsumers.apply(transaction, store, after, records, settings, program.program());
        if (after.equals(before)) {
            return changed;
        }
        String jar = before.getClassProgram().getJar();
        if (!jar.isEmpty() && !jar.equals(after.getClassProgram().getJar())) {
            jars.release(transaction, jar);
        }
        DataflowStore.write(transaction, store.circuit(), after);
        return true;
    }

    private static CircuitRecord begun(
            Transaction transaction,
            DataflowStore store,
            CircuitRecord before,
            DataflowSettings settings,
            Wanted wanted,
            List<String> seats) {
        AcceptedProgram program = wanted.program();
        if (program == null || seats.isEmpty()) {
            String refusal = program == null ? wanted.mistake() : "";
            return before.toBuilder().setRefusal(refusal).build();
        }
        clear(transaction, store);
        CircuitRecord.Builder circuit = CircuitRecord.newBuilder()
                .setName(settings.name())
                .setLife(before.getLife() + 1)
                .setThreads(settings.threads())
                .addAllSeats(seats)
                .setAssignment(ShardLayout.equal(seats.size(), settings.threads()))
                .setFingerprint(program.program().fingerprint())
                .setUpsertsByKey(program.repeated() == RepeatedKeys.UPSERTED)
                .setDecision(settings.decision());
        StoredProgram.write(transaction, store, circuit, program);
        return free(circuit, settings).build();
    }

    /** A circuit of another name begins with nothing. */
    private static void clear(Transaction transaction, DataflowStore store) {
        store.log().clearAll(transaction);
        store.rows().clearAll(transaction);
        store.producers().clearAll(transaction);
        store.divisions().clearAll(transaction);
        store.progress().clearAll(transaction);
        store.durable().clearAll(transaction);
        store.digests().clearAll(transaction);
        store.clear(transaction, Counter.WAITING_BYTES);
        store.clear(transaction, Counter.LOGGED_BYTES);
    }

    /** What may change at any time. */
    private static CircuitRecord.Builder free(CircuitRecord.Builder circuit, DataflowSettings settings) {
        return circuit.setWithdrawn(false)
                .setSuspended(settings.suspended())
                .setCheckpointIntervalMillis(settings.checkpointIntervalMillis())
                .setRetainedVersions(settings.retainedVersions())
                .setStopOnError(settings.onError() == OnError.STOP)
                .clearRetainedSteps()
                .putAllRetainedSteps(settings.retainedSteps());
    }

    private static CircuitRecord changed(
            Transaction transaction,
            DataflowStore store,
            CircuitRecord before,
            DataflowSettings settings,
            Wanted wanted,
            List<String> seats) {
        CircuitRecord.Builder circuit = free(before.toBuilder(), settings);
        AcceptedProgram program = wanted.program();
        String refusal = "";
        if (program == null) {
            refusal = wanted.mistake();
        } else if (!program.digest().equals(before.getProgramDigest()) || isTextAlone(before)) {
            if (program.program().fingerprint().equals(before.getFingerprint())) {
                StoredProgram.write(transaction, store, circuit, program);
            } else {
                refusal = "The program differs from the one whose state the circuit keeps"
                        + difference(transaction, store, before, program)
                        + ": give that one back, or give the circuit another name, which begins with nothing";
            }
        }
        if (settings.threads() != before.getThreads()) {
            refusal = "The circuit runs with " + before.getThreads() + " threads for each worker, not "
                    + settings.threads() + ": give back that number, or give the circuit another name, which begins"
                    + " with nothing";
        } else if (!seats.isEmpty() && !seats.equals(before.getSeatsList())) {
            refusal = "The circuit runs on the workers " + before.getSeatsList() + ", not " + seats
                    + ": give back their number, or give the circuit another name, which begins with nothing";
        }
        return circuit.setRefusal(refusal).build();
    }

    /** As a release before has left it, or a person had it planned anew. */
    private static boolean isTextAlone(CircuitRecord circuit) {
        return circuit.getPlanDigest().isEmpty() && !circuit.hasClassProgram();
    }

    /** Keys of outputs that are said beside the program tell it apart, and what a class was recorded to build. */
    private static String difference(
            Transaction transaction, DataflowStore store, CircuitRecord before, AcceptedProgram program) {
        if (!StoredProgram.outputKeys(before).equals(program.source().outputKeys())) {
            return " (outputs[].key is another, by which rows of a view would lie elsewhere)";
        }
        if (!before.hasClassProgram()) {
            return "";
        }
        String listing = StoredProgram.read(transaction, store).join().text();
        return " ("
                + ListingDifference.of(
                        listing.lines().toList(), program.program().listing()) + ")";
    }
}
