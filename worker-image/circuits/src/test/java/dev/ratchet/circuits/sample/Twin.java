/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.ShardMap;
import dev.ratchet.circuits.builder.CircuitBuilder;
import dev.ratchet.circuits.builder.Stream;
import dev.ratchet.circuits.builder.TableOptions;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.Plan;
import dev.ratchet.circuits.circuit.TableInput;
import dev.ratchet.circuits.state.MemoryDatabase;
import dev.ratchet.circuits.state.OpenState;
import dev.ratchet.circuits.state.StateDatabase;
import dev.ratchet.circuits.state.StateRecord;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Runs a program incrementally, in circuits of 1, 2, 3 and 5 worker threads and in one of several processes, and beside
 * it a function of whole sets: after every step the sum of the program's changes is the function of the sums of the
 * inputs, and all circuits gave the same.
 */
public final class Twin {

    /** Of the odd ones, one by its seed runs small steps in threads of their own, too. */
    private static final int[] WORKER_THREADS = {1, 2, 3, 5};

    private final long seed;
    private final Samples samples;
    private final SplittableRandom maps;
    private final List<List<ColumnType>> tables;
    private int steps = 8;
    private int rowsPerStep = 6;
    private boolean positive = true;
    private boolean appendOnly;
    private int constant = -1;
    private OpenState open;

    public Twin(long seed, List<List<ColumnType>> tables) {
        this.seed = seed;
        this.samples = new Samples(seed);
        this.maps = new SplittableRandom(seed);
        this.tables = tables;
    }

    public Twin size(int numberOfSteps, int rows) {
        steps = numberOfSteps;
        rowsPerStep = rows;
        return this;
    }

    /** Lets tables have rows with negative weights. */
    public Twin anyWeights() {
        positive = false;
        return this;
    }

    /** Lets rows only come, and promises it. */
    public Twin appendOnly(boolean only) {
        appendOnly = only;
        return this;
    }

    /** Lets the rows of a table come in the first step alone, and promises it. */
    public Twin constant(int table) {
        constant = table;
        return this;
    }

    public Samples samples() {
        return samples;
    }

    /** Checks a program against its model. */
    public void check(Function<List<Stream>, Stream> program, Function<List<ModelSet>, ModelSet> model) {
        check((builder, streams) -> program.apply(streams), model);
    }

    /** As {@link #check(Function, Function)} for programs that need their builder. */
    public void check(
            BiFunction<CircuitBuilder, List<Stream>, Stream> program, Function<List<ModelSet>, ModelSet> model) {
        List<Circuit> circuits = new ArrayList<>();
        try (StateDatabase database = MemoryDatabase.create(seed)) {
            for (int workerThreads : WORKER_THREADS) {
                circuits.add(new Circuit(plan(program), options(workerThreads)));
            }
            open = database.open(0);
            circuits.add(new Circuit(plan(program), withShards(options(2).withState(open))));
            CircuitOptions own = options(1 + (int) (seed & 1));
            int processes = 2 + (int) (seed / 2 & 1);
            ShardMap map = ShardMaps.random(maps, own.workerThreads() * processes);
            try (Cluster cluster = new Cluster(
                    processes,
                    peers -> new Circuit(plan(program), own.withPeers(peers).withShards(map)))) {
                run(program, circuits, cluster, database, model);
            }
        } finally {
            circuits.forEach(Circuit::close);
        }
    }

    private CircuitOptions withShards(CircuitOptions options) {
        return options.withShards(ShardMaps.random(maps, options.workerThreads()));
    }

    private CircuitOptions options(int workerThreads) {
        CircuitOptions options = CircuitOptions.inMemory(workerThreads);
        int threaded = seed / 2 % 2 == 0 ? 3 : 5;
        return workerThreads == threaded ? options.withSmallStepRows(0) : options;
    }

    private Plan plan(BiFunction<CircuitBuilder, List<Stream>, Stream> program) {
        CircuitBuilder builder = new CircuitBuilder();
        List<Stream> streams = new ArrayList<>();
        for (int table = 0; table < tables.size(); table++) {
            TableOptions options = new TableOptions(List.of(), null, appendOnly, table == constant, false);
            streams.add(builder.table("t" + table, tables.get(table), options));
        }
        builder.view("v", program.apply(builder, streams));
        return builder.build();
    }

    private void run(
            BiFunction<CircuitBuilder, List<Stream>, Stream> program,
            List<Circuit> circuits,
            Cluster cluster,
            StateDatabase database,
            Function<List<ModelSet>, ModelSet> model) {
        List<ModelSet> inputs = new ArrayList<>();
        tables.forEach(table -> inputs.add(new ModelSet()));
        ModelSet output = new ModelSet();
        for (int step = 0; step < steps; step++) {
            List<Batch> changes = new ArrayList<>();
            for (int table = 0; table < tables.size(); table++) {
                boolean stays = table == constant && step > 0;
                changes.add(
                        stays
                                ? Batch.empty(new RowSchema(tables.get(table), List.of()))
                                : change(table, inputs.get(table)));
            }
            Batch first = null;
            for (Circuit circuit : circuits) {
                Batch changed = step(circuit, changes);
                if (first == null) {
                    first = changed;
                    output.add(ModelSet.read(changed.schema(), changed.cursor()));
                } else {
                    assertThat(ModelSet.read(changed.schema(), changed.cursor()))
                            .as("seed %d step %d", seed, step)
                            .isEqualTo(ModelSet.read(first.schema(), first.cursor()));
                }
            }
            cluster.each(process -> add(process, changes));
            cluster.step();
            Batch shares = cluster.output("v");
            assertThat(ModelSet.read(shares.schema(), shares.cursor()))
                    .as("processes, seed %d step %d", seed, step)
                    .isEqualTo(ModelSet.read(shares.schema(), first.cursor()));
            assertThat(output.weights())
                    .as("seed %d step %d inputs %s", seed, step, inputs)
                    .isEqualTo(model.apply(inputs).weights());
            if (samples.random().nextInt(3) == 0) {
                commitAndGoOn(program, circuits, database, step);
            }
        }
    }

    /**
     * The last circuit has its state in a database: it is committed, and taken up by another number of worker threads
     * with another map of the shards.
     */
    private void commitAndGoOn(
            BiFunction<CircuitBuilder, List<Stream>, Stream> program,
            List<Circuit> circuits,
            StateDatabase database,
            int step) {
        Circuit last = circuits.removeLast();
        open.commit(new StateRecord(step + 1, last.plan().fingerprint(), new byte[0], last.attributes()));
        last.close();
        int workerThreads = 1 + samples.random().nextInt(4);
        open = database.open(database.versions().last());
        circuits.add(
                new Circuit(plan(program), withShards(options(workerThreads).withState(open))));
    }

    /** Adds the changes to the inputs, runs a step and gives what it changed in the view. */
    public static Batch step(Circuit circuit, List<Batch> changes) {
        add(circuit, changes);
        circuit.step();
        ModelSet visited = new ModelSet();
        RowSchema schema = circuit.plan().views().get("v").schema();
        circuit.visit("v", (row, weight) -> visited.add(ModelSet.row(schema, row), weight));
        Batch output = circuit.output("v");
        assertThat(visited).isEqualTo(ModelSet.read(schema, output.cursor()));
        return output;
    }

    private static void add(Circuit circuit, List<Batch> changes) {
        for (int table = 0; table < changes.size(); table++) {
            add(circuit.input("t" + table), changes.get(table));
        }
    }

    public static void add(TableInput input, Batch change) {
        RowSchema schema = change.schema();
        for (var row = change.cursor(); row.valid(); row.next()) {
            for (int column = 0; column < schema.columnCount(); column++) {
                input.copy(column, schema.column(column).storage(), row, column);
            }
            input.add(row.weight());
        }
    }

    private Batch change(int table, ModelSet held) {
        RowSchema schema = new RowSchema(tables.get(table), List.of());
        BatchBuilder builder = new BatchBuilder(schema);
        ModelSet change = new ModelSet();
        int rows = samples.random().nextInt(rowsPerStep + 1);
        for (int i = 0; i < rows; i++) {
            List<Object> row = samples.row(schema);
            change.add(row, samples.random().nextInt(4) == 0 ? 2 : 1);
        }
        List<List<Object>> there = new ArrayList<>(held.weights().keySet());
        for (int i = samples.random().nextInt(rowsPerStep + 1); i > 0 && !there.isEmpty() && !appendOnly; i--) {
            List<Object> row = there.remove(samples.random().nextInt(there.size()));
            change.add(row, -1);
        }
        if (!positive) {
            change.add(samples.row(schema), -1);
        }
        change.weights().forEach((row, weight) -> {
            for (int column = 0; column < row.size(); column++) {
                ObjectValues.write(schema.column(column), row.get(column), builder, column);
            }
            builder.add(weight);
        });
        held.add(change);
        return builder.build();
    }
}
