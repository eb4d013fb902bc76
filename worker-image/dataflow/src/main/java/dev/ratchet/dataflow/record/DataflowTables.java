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
import dev.ratchet.store.keyspace.KeyTree;
import dev.ratchet.store.keyspace.TableSchema;
import dev.ratchet.store.keyspace.Values;
import java.util.List;

/**
 * The tables of a circuit. What the coordinator decides is in {@code circuit}, {@code division} and {@code run}; each
 * process writes the rows of its own seat in the others.
 */
public final class DataflowTables implements KeyTree {

    private static final String MODULE = "dataflow";

    /** What runs. */
    public static final TableSchema<CircuitRecord> CIRCUIT =
            TableSchema.of(MODULE, "circuit", Values.message(CircuitRecord.parser()));

    /** The text of the program. */
    public static final TableSchema<byte[]> PROGRAM = TableSchema.of(MODULE, "program", Values.bytes(), "chunk");

    /** The plan of the program, which all processes build their circuits of. */
    public static final TableSchema<byte[]> PLAN = TableSchema.of(MODULE, "plan", Values.bytes(), "chunk");

    /** The requests of producers in the order in which the store has them. */
    public static final TableSchema<LogRecord> LOG =
            TableSchema.of(MODULE, "log", Values.message(LogRecord.parser()), "position");

    /** Their rows as they were sent. */
    public static final TableSchema<byte[]> ROWS = TableSchema.of(MODULE, "rows", Values.bytes(), "position", "chunk");

    /** The last sequence of each producer and where its rows are. */
    public static final TableSchema<LastReceived> PRODUCER =
            TableSchema.of(MODULE, "producer", new LastReceivedCodec(), "producer");

    /** Which input is in a step. */
    public static final TableSchema<DivisionRecord> DIVISION =
            TableSchema.of(MODULE, "division", Values.message(DivisionRecord.parser()), "step");

    /** The processes that wait for a run. */
    public static final TableSchema<ParticipantRecord> PARTICIPANT =
            TableSchema.of(MODULE, "participant", Values.message(ParticipantRecord.parser()), "seat");

    /** How far each process is. */
    public static final TableSchema<ProgressRecord> PROGRESS =
            TableSchema.of(MODULE, "progress", Values.message(ProgressRecord.parser()), "seat");

    /** The run in force. */
    public static final TableSchema<RunRecord> RUN = TableSchema.of(MODULE, "run", Values.message(RunRecord.parser()));

    /** Which versions of the state each process has on its disk. */
    public static final TableSchema<DurableRecord> DURABLE =
            TableSchema.of(MODULE, "durable", Values.message(DurableRecord.parser()), "version", "seat");

    /** What each process put out in a step. */
    public static final TableSchema<DigestRecord> DIGEST =
            TableSchema.of(MODULE, "digest", Values.message(DigestRecord.parser()), "step", "process");

    /** Who takes what changes in views, and how far that is. */
    public static final TableSchema<ConsumerRecord> CONSUMER =
            TableSchema.of(MODULE, "consumer", Values.message(ConsumerRecord.parser()), "name");

    /** Counters by name, see {@link Counter}. */
    public static final TableSchema<Long> COUNTER = TableSchema.of(MODULE, "counter", Values.counter(), "name");

    @Override
    public List<TableSchema<?>> tables() {
        return List.of(
                CIRCUIT,
                PROGRAM,
                PLAN,
                LOG,
                ROWS,
                PRODUCER,
                DIVISION,
                PARTICIPANT,
                PROGRESS,
                RUN,
                DURABLE,
                DIGEST,
                CONSUMER,
                COUNTER);
    }
}
