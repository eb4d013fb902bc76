/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.sink;

import com.apple.foundationdb.Database;
import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.dataflow.DataflowSettings;
import dev.ratchet.dataflow.FilesSink;
import dev.ratchet.dataflow.control.TermFence;
import dev.ratchet.dataflow.follow.Orders;
import dev.ratchet.dataflow.process.DataflowCompanion;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.share.ViewReader;
import dev.ratchet.environment.Environment;
import dev.ratchet.membership.Seat;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The outputs of a circuit that are files, in the process that holds the term, each written by a {@link SinkWriter}.
 * Every move of a position is fenced by the term, so that a former holder that goes on puts out nothing. Safe for use
 * by several threads; nothing blocks.
 */
public final class Sinks implements DataflowCompanion, AutoCloseable {

    private final DataflowStore store;
    private final Keyspace keyspace;
    private final Seat seat;
    private final Supplier<Optional<CompiledProgram>> program;
    private final ViewReader views;
    private final Environment environment;
    private final Map<String, SinkWriter> writers = new TreeMap<>();
    private List<FilesSink> wanted = List.of();
    private boolean closed;
    private long term;

    /**
     * @param seat of this process
     * @param program that runs; empty while it is not known
     */
    public Sinks(
            Database database,
            Keyspace keyspace,
            Seat seat,
            Supplier<Optional<CompiledProgram>> program,
            ViewReader views,
            Environment environment) {
        this.store = new DataflowStore(database, keyspace);
        this.keyspace = keyspace;
        this.seat = seat;
        this.program = program;
        this.views = views;
        this.environment = environment;
    }

    /** Tells the term that this process holds, 0 for none. */
    public synchronized void elected(long held) {
        term = held;
        writers.values().forEach(SinkWriter::close);
        writers.clear();
        write();
    }

    /** Tells what the configuration of the cluster says, at the beginning and after each change. */
    public synchronized void configure(Optional<DataflowSettings> settings) {
        wanted = settings.map(DataflowSettings::outputs).orElse(List.of());
        write();
    }

    private void write() {
        if (term == 0 || closed) {
            return;
        }
        Map<String, FilesSink> sinks = wanted.stream().collect(Collectors.toMap(FilesSink::name, sink -> sink));
        // One writer for each name and term: two of one term would take each other's files for their own.
        sinks.keySet().stream().filter(name -> !writers.containsKey(name)).forEach(name -> {
            SinkPositions positions = new SinkPositions(store, new TermFence(keyspace, seat, term));
            SinkWriter writer = new SinkWriter(name, positions, program, views, environment);
            writers.put(name, writer);
            writer.configure(sinks.get(name));
            writer.start();
        });
        writers.forEach((name, writer) -> writer.configure(sinks.get(name)));
    }

    @Override
    public synchronized void ordered(Orders orders) {
        writers.forEach((name, writer) -> writer.ordered(orders.consumers().get(DataflowStore.SINK_PREFIX + name)));
    }

    /** Which outputs write nothing, and why, for people; empty for none. */
    @Override
    public synchronized String trouble() {
        List<String> told = new ArrayList<>();
        writers.forEach((name, writer) -> {
            String trouble = writer.trouble();
            if (!trouble.isEmpty()) {
                told.add("output " + name + ": " + trouble);
            }
        });
        return String.join("; ", told);
    }

    @Override
    public synchronized void close() {
        closed = true;
        writers.values().forEach(SinkWriter::close);
        writers.clear();
    }
}
