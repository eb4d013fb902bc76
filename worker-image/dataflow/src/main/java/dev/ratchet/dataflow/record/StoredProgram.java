/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.record;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import dev.ratchet.circuits.builder.OutputKeys;
import dev.ratchet.circuits.program.ProgramInvalidException;
import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.circuits.sql.RepeatedKeys;
import dev.ratchet.circuits.sql.SqlProgram;
import dev.ratchet.circuits.sql.UnreadablePlanException;
import dev.ratchet.dataflow.ProgramSource;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.dataflow.v1.ClassProgramRecord;
import dev.ratchet.protocol.dataflow.v1.OutputKeyRecord;
import dev.ratchet.store.keyspace.Table;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * What the store has of the program of its circuit.
 *
 * @param text in SQL; of a class what it must build, a line for each operator, table and view
 * @param plan of the text, where one is recorded
 */
public record StoredProgram(CircuitRecord circuit, String text, byte[] plan) {

    private static final int CHUNK_BYTES = 90_000;
    private static final long TIMEOUT_MILLIS = 5_000;

    /** As the store has it now. Blocks. */
    public static StoredProgram read(DataflowStore store) {
        return store.database().read(transaction -> {
            transaction.options().setTimeout(TIMEOUT_MILLIS);
            return read(transaction, store).join();
        });
    }

    public static CompletableFuture<StoredProgram> read(ReadTransaction transaction, DataflowStore store) {
        CompletableFuture<CircuitRecord> circuit =
                DataflowStore.read(transaction, store.circuit(), CircuitRecord.getDefaultInstance());
        CompletableFuture<byte[]> plan = bytes(transaction, store.plan());
        // None is waited for where another one ends: that thread may be the one that brings it.
        return bytes(transaction, store.program())
                .thenCombine(
                        plan,
                        (text, planned) -> new StoredProgram(
                                CircuitRecord.getDefaultInstance(), new String(text, StandardCharsets.UTF_8), planned))
                .thenCombine(circuit, (program, known) -> new StoredProgram(known, program.text(), program.plan()));
    }

    private static CompletableFuture<byte[]> bytes(ReadTransaction transaction, Table<byte[]> table) {
        return transaction.getRange(table.range()).asList().thenApply(found -> {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (KeyValue chunk : found) {
                all.writeBytes(chunk.getValue());
            }
            return all.toByteArray();
        });
    }

    /** Writes a program in place of the one before, and in the record of the circuit what it is. */
    public static void write(
            Transaction transaction, DataflowStore store, CircuitRecord.Builder circuit, AcceptedProgram program) {
        circuit.clearClassProgram().clearPlanDigest().clearOutputKeys();
        program.source()
                .outputKeys()
                .byView()
                .forEach((view, key) -> circuit.putOutputKeys(
                        view, OutputKeyRecord.newBuilder().addAllColumns(key).build()));
        byte[] plan = {};
        String text =
                switch (program.source()) {
                    case ProgramSource.Sql sql -> {
                        plan = ((SqlProgram) program.program()).recorded();
                        circuit.setPlanDigest(Programs.digest(plan));
                        yield sql.text();
                    }
                    case ProgramSource.OfClass of -> {
                        String listing = listing(program.program());
                        circuit.setClassProgram(ClassProgramRecord.newBuilder()
                                .setJar(of.jar())
                                .setClassName(of.className())
                                .setListingDigest(Programs.digest(listing)));
                        yield listing;
                    }
                };
        write(transaction, store.plan(), plan);
        circuit.setProgramDigest(program.digest())
                .setProgramChunks(write(transaction, store.program(), text.getBytes(StandardCharsets.UTF_8)));
    }

    private static int write(Transaction transaction, Table<byte[]> table, byte[] bytes) {
        table.clearAll(transaction);
        List<byte[]> chunks = DataflowStore.chunks(bytes, CHUNK_BYTES);
        for (int chunk = 0; chunk < chunks.size(); chunk++) {
            DataflowStore.write(transaction, table, chunks.get(chunk), chunk);
        }
        return chunks.size();
    }

    private static String listing(CompiledProgram program) {
        return String.join("\n", program.listing());
    }

    /** Whether this is the program that a record of the circuit says; another may be written meanwhile. */
    public boolean isOf(CircuitRecord wanted) {
        return circuit.getProgramDigest().equals(wanted.getProgramDigest())
                && circuit.getPlanDigest().equals(wanted.getPlanDigest())
                && circuit.getClassProgram().equals(wanted.getClassProgram());
    }

    /** How texts are planned for the circuit of that name, which may be another one than the recorded circuit. */
    public static RepeatedKeys repeatedKeys(CircuitRecord circuit, String name) {
        boolean isKept = circuit.getSeatsCount() > 0 && circuit.getName().equals(name);
        return isKept && !circuit.getUpsertsByKey() ? RepeatedKeys.REFUSED : RepeatedKeys.UPSERTED;
    }

    RepeatedKeys repeatedKeys() {
        return repeatedKeys(circuit, circuit.getName());
    }

    /** What it is made from. */
    ProgramSource source() {
        OutputKeys outputKeys = outputKeys(circuit);
        return circuit.hasClassProgram()
                ? new ProgramSource.OfClass(
                        circuit.getClassProgram().getJar(),
                        circuit.getClassProgram().getClassName(),
                        outputKeys)
                : new ProgramSource.Sql(text, outputKeys);
    }

    /** What is said beside the program of a circuit. */
    public static OutputKeys outputKeys(CircuitRecord circuit) {
        Map<String, List<String>> keys = new TreeMap<>();
        circuit.getOutputKeysMap().forEach((view, key) -> keys.put(view, key.getColumnsList()));
        return new OutputKeys(keys);
    }

    /** Whether the plan of a text is recorded: releases before this one left the text alone. */
    boolean isPlanned() {
        return !circuit.getPlanDigest().isEmpty();
    }

    boolean isPlanOf(String digest, RepeatedKeys repeated) {
        return isPlanned() && circuit.getProgramDigest().equals(digest) && repeatedKeys() == repeated;
    }

    /** @throws UnreadablePlanException where no circuit can be built of the plan, or another one than it should */
    SqlProgram planned() {
        String found = Programs.digest(plan);
        if (!found.equals(circuit.getPlanDigest())) {
            throw new UnreadablePlanException(
                    "The recorded plan is damaged: its " + plan.length + " bytes have SHA-256 " + found + ", not "
                            + circuit.getPlanDigest(),
                    null);
        }
        return SqlProgram.ofRecorded(plan);
    }

    /**
     * Refuses what this release plans of a text alone where its circuit is another one than that whose state is kept.
     */
    AcceptedProgram requireKept(AcceptedProgram program) {
        if (!program.program().fingerprint().equals(circuit.getFingerprint())) {
            throw new UnreadablePlanException(
                    "The store has no plan of the program, and this release makes another circuit of the text than"
                            + " the one whose state is kept; use the release before until it has recorded a plan",
                    null);
        }
        return program;
    }

    /** Refuses a class that builds something else here than where it was accepted. */
    void requireSame(AcceptedProgram program) {
        if (program.source() instanceof ProgramSource.OfClass of
                && !listing(program.program()).equals(text)) {
            throw new ProgramInvalidException("The class " + of.className() + " builds another circuit here than where"
                    + " it was accepted: "
                    + ListingDifference.of(
                            text.lines().toList(), program.program().listing())
                    + ". What it builds must depend on nothing but its code: no time, randomness, host, or order of a"
                    + " hash table");
        }
    }
}
