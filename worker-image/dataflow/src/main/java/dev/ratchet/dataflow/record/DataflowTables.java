/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.record;

import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.dataflow.v1.ConsumerRecord;
import dev.ratchet.protocol.dataflow.v1.DigestRecord;
import dev.ratchet.protocol.dataflow.v1.DivisionRecord;
import dev.ratchet.protocol.dataflow.v1.DurableRecord;
import dev.ratchet.protocol.dataflow.v1.LogRecord;
import dev.ratchet.protocol.dataflow.v1.ParticipantRecord;
import dev.ratchet.protocol.dataflow.v1.ProgressRecord;
import dev.ratchet.protocol.dataflow.v1.RunRecord;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.Table;
import dev.ratchet.store.keyspace.TableSet;
import dev.ratchet.store.keyspace.Values;

/**
 * The tables of a circuit. What the coordinator decides is in {@code circuit}, {@code division} and {@code run}; each
 * process writes the rows of its own seat in the others.
 */
public final class DataflowTables extends TableSet {

    /** What runs, where, and who owns which shards. */
    public final Table<CircuitRecord> circuit = table("circuit", Values.message(CircuitRecord.parser()));

    /** The text of the program. */
    public final Table<byte[]> program = table("program", Values.bytes(), "chunk");

    /** The plan of the program, which all processes build their circuits of. */
    public final Table<byte[]> plan = table("plan", Values.bytes(), "chunk");

    /** The requests of producers in the order in which the store has them. */
    public final Table<LogRecord> log = table("log", Values.message(LogRecord.parser()), "position");

    /** Their rows as they were sent. */
    public final Table<byte[]> rows = table("rows", Values.bytes(), "position", "chunk");

    /** The last sequence of each producer and where its rows are. */
    public final Table<LastReceived> producers = table("producer", new LastReceivedCodec(), "producer");

    /** Which input is in a step. */
    public final Table<DivisionRecord> divisions = table("division", Values.message(DivisionRecord.parser()), "step");

    /** The processes that wait for a run. */
    public final Table<ParticipantRecord> participants =
            table("participant", Values.message(ParticipantRecord.parser()), "seat");

    /** How far each process is. */
    public final Table<ProgressRecord> progress = table("progress", Values.message(ProgressRecord.parser()), "seat");

    /** The run in force. */
    public final Table<RunRecord> run = table("run", Values.message(RunRecord.parser()));

    /** Which versions of the state each process has on its disk. */
    public final Table<DurableRecord> durable =
            table("durable", Values.message(DurableRecord.parser()), "version", "seat");

    /** What each process put out in a step. */
    public final Table<DigestRecord> digests =
            table("digest", Values.message(DigestRecord.parser()), "step", "process");

    /** Who takes what changes in views, and how far that is. */
    public final Table<ConsumerRecord> consumers = table("consumer", Values.message(ConsumerRecord.parser()), "name");

    /** Counters by name, see {@link Counter}. */
    public final Table<Long> counters = table("counter", Values.counter(), "name");

    DataflowTables(Keyspace keyspace) {
        super("dataflow", keyspace);
    }

    /** What is declared, in no cluster. */
    public DataflowTables() {
        this(NO_CLUSTER);
    }
}
