/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.batch.BatchFormat;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.batch.HashRange;
import dev.ratchet.circuits.batch.HashRanges;
import dev.ratchet.circuits.batch.OrderedRows;
import dev.ratchet.circuits.batch.RowDigest;
import dev.ratchet.circuits.batch.ShardMap;
import dev.ratchet.circuits.builder.OutputKeys;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.CircuitPeers;
import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.circuit.OnError;
import dev.ratchet.circuits.circuit.OperatorMetrics;
import dev.ratchet.circuits.circuit.Plan;
import dev.ratchet.circuits.circuit.StepFailedException;
import dev.ratchet.circuits.circuit.StepRejectedException;
import dev.ratchet.circuits.circuit.TableInput;
import dev.ratchet.circuits.circuit.ViewRows;
import dev.ratchet.circuits.run.RowText;
import dev.ratchet.circuits.sample.Cluster;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.sample.ShardMaps;
import dev.ratchet.circuits.state.MemoryDatabase;
import dev.ratchet.circuits.state.OpenState;
import dev.ratchet.circuits.state.StateDatabase;
import dev.ratchet.circuits.state.StateRecord;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowHash;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Law L25: after every step the shares of all processes sum to what one process of one thread puts out, errors and
 * rejections included, whichever shards a thread owns, also behind a restart of all from what each had committed in
 * another layout: other threads, another number of shards, other owners. Of a view each process puts out the rows whose
 * hashes it owns and no others, however the work before was divided (P8), and keeps their sum. Of a view with a key the
 * changes of one key are put out by one process, and the bytes that each puts out are those of one worker.
 */
class ProcessesTest {

    private static final int STEPS = 6;
    private static final RowDigest.Key KEY = new RowDigest.Key(3, 5);

    /** What random queries do not have: keys, upserts, late rows, windows, recursion, errors. */
    private static final String PROGRAM = """
            CREATE TABLE item (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR, price BIGINT);
            CREATE TABLE stock (id BIGINT NOT NULL PRIMARY KEY, count BIGINT) WITH ('upserts' = 'true');
            CREATE TABLE event (ts TIMESTAMP LATENESS INTERVAL '10' SECOND, id BIGINT, v BIGINT);
            CREATE TABLE edge (a BIGINT, b BIGINT);
            DECLARE RECURSIVE VIEW path(a BIGINT, b BIGINT);
            CREATE VIEW path AS SELECT a, b FROM edge UNION SELECT p.a, e.b FROM path p JOIN edge e ON p.b = e.a;
            CREATE VIEW held WITH ('key' = 'name') AS
            SELECT i.name, s.count FROM item i LEFT JOIN stock s ON i.id = s.id;
            CREATE VIEW total AS SELECT SUM(price) AS p, COUNT(*) AS n FROM item;
            CREATE VIEW best AS SELECT name, price FROM item ORDER BY price DESC, name LIMIT 3;
            CREATE VIEW panes WITH ('key' = 'v') AS
            SELECT TUMBLE_START(ts, INTERVAL '5' SECOND) AS pane, SUM(v) AS v FROM event
            GROUP BY TUMBLE(ts, INTERVAL '5' SECOND);
            CREATE VIEW quotients WITH ('key' = 'q, id') AS SELECT id, 100 / v AS q FROM event;
            CREATE TABLE ratio (a BIGINT, b BIGINT);
            CREATE VIEW ratios WITH ('key' = 'a') AS SELECT a, 12 / b AS q FROM ratio;
            CREATE VIEW inverse AS SELECT b, 7 / (SUM(a) - 3) AS q FROM ratio GROUP BY b;
            CREATE VIEW small WITH ('key' = 's, b') AS
            SELECT b, SUM(CAST(a * 40 AS TINYINT)) AS s FROM ratio GROUP BY b;
            """;

    static LongStream seeds() {
        // 100: what a rejected step had left was added to the next one.
        return LongStream.concat(Samples.seeds(12), LongStream.of(100)).distinct();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void sharesSumToWhatOneProcessPutsOut(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Relation> tables = List.of(RandomTables.table("t", random), RandomTables.table("u", random));
        RandomQueries queries = new RandomQueries(random.nextLong(), tables);
        List<String> views =
                IntStream.range(0, 6).mapToObj(i -> queries.query()).toList();
        String program = RandomTables.program(tables, views);
        List<Object> held = new ArrayList<>();
        run(seed, keyed(program, new SplittableRandom(-seed)), random, (circuits, step) -> {
            for (int i = random.nextInt(8); i > 0; i--) {
                Relation table = tables.get(random.nextInt(tables.size()));
                List<@Nullable Object> row = new ArrayList<>();
                table.columns().forEach(column -> row.add(RandomTables.value(column.type(), random)));
                circuits.accept(circuit -> add(circuit, table.name(), row, 1));
                held.add(row);
            }
        });
        assertThat(held).as("rows").isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void keysTimesRecursionsAndErrorsAreTheSameInAnyProcesses(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<List<Long>> ratios = new ArrayList<>();
        run(seed, new Source(PROGRAM, OutputKeys.NONE), random, (circuits, step) -> {
            for (int i = random.nextInt(12); i > 0; i--) {
                long id = random.nextInt(40);
                long v = random.nextInt(5);
                long other = random.nextInt(8);
                // Now and then two rows of one key, which the table rejects.
                long unique = random.nextInt(20) == 0 ? v : 100 + step * 100L + i;
                boolean removes = random.nextInt(4) == 0;
                var time = java.time.LocalDateTime.of(2026, 1, 1, 0, 0).plusSeconds(step * 4L + random.nextInt(12));
                circuits.accept(circuit -> {
                    add(circuit, "item", List.of(unique, "n" + v, other), 1);
                    add(circuit, "stock", List.of(id, v), removes ? -1 : 1);
                    add(circuit, "event", List.of(time, id, v), 1);
                    add(circuit, "edge", List.of(other, v + 2), 1);
                });
                boolean takesBack = !ratios.isEmpty() && random.nextInt(3) == 0;
                List<Long> ratio = takesBack
                        ? ratios.remove(random.nextInt(ratios.size()))
                        : List.of((long) random.nextInt(4), (long) random.nextInt(4));
                circuits.accept(circuit -> add(circuit, "ratio", ratio, takesBack ? -1 : 1));
                if (!takesBack) {
                    ratios.add(ratio);
                }
            }
        });
    }

    /** A program, and the keys of outputs that are said beside it. */
    private record Source(String text, OutputKeys outputKeys) {

        SqlProgram compile() {
            return SqlProgram.compile(text, RepeatedKeys.REFUSED, outputKeys);
        }
    }

    /** Some columns of most views. */
    private static Source keyed(String text, SplittableRandom random) {
        Map<String, List<String>> keys = new HashMap<>();
        for (Relation view : SqlProgram.compile(text).views()) {
            List<String> key = new ArrayList<>();
            for (Relation.Column column : view.columns()) {
                if (random.nextInt(3) == 0) {
                    key.add(random.nextInt(key.size() + 1), column.name());
                }
            }
            if (!key.isEmpty()) {
                keys.put(view.name(), key);
            }
        }
        return new Source(text, new OutputKeys(keys));
    }

    /** Adds the rows of a step to all circuits. */
    @FunctionalInterface
    private interface Rows {
        void add(Consumer<Consumer<Circuit>> circuits, int step);
    }

    private static void run(long seed, Source source, SplittableRandom random, Rows rows) {
        SqlProgram program = source.compile();
        int processes = 1 + (int) (seed % 3 + seed / 7 % 2);
        int smallStepRows = (int) (seed % 2) * 100;
        List<StateDatabase> databases = new ArrayList<>();
        for (int process = 0; process < processes; process++) {
            databases.add(MemoryDatabase.create(seed + process));
        }
        try (Circuit one = new Circuit(program.plan(), CircuitOptions.inMemory(1))) {
            Opened opened = new Opened(source, Layout.random(random, processes, smallStepRows), states(databases));
            int restart = random.nextInt(STEPS);
            Map<String, Batch> sums = new HashMap<>();
            for (int step = 0; step < STEPS; step++) {
                rows.add(
                        work -> {
                            work.accept(one);
                            opened.cluster.each(work);
                        },
                        step);
                String where = "seed %d, %s, step %d, program%n%s".formatted(seed, opened.layout.text(), step, source);
                StepRejectedException expected = (StepRejectedException) catchThrowable(one::step);
                Throwable thrown = catchThrowable(opened.cluster::step);
                if (expected == null) {
                    assertThat(thrown).as(where).isNull();
                } else {
                    assertThat(thrown).as(where).isInstanceOf(StepRejectedException.class);
                    assertThat(((StepRejectedException) thrown).table()).isEqualTo(expected.table());
                }
                check(where, one, opened);
                checkBytes(where, program, one, opened);
                viewsOf(one.plan())
                        .forEach(view -> sums.merge(
                                view.name(),
                                one.output(view.name()),
                                (sum, change) -> BatchMerge.merge(view.schema(), List.of(sum, change))));
                if (step == restart || random.nextInt(STEPS) == 0) {
                    boolean commitsMove = random.nextBoolean();
                    Layout next = Layout.random(random, processes, smallStepRows);
                    opened.restart(source, next, databases, step + 1, commitsMove);
                }
                checkRows(where, one.plan(), opened, step, sums);
            }
            opened.cluster.close();
        } finally {
            databases.forEach(StateDatabase::close);
        }
    }

    private static void check(String where, Circuit one, Opened opened) {
        Cluster cluster = opened.cluster;
        for (Plan.View read : viewsOf(one.plan())) {
            String view = read.name();
            assertSame(where + view, cluster.output(view), one.output(view));
            RowDigest whole = RowDigest.of(KEY, one.output(view));
            long first = 0;
            long second = 0;
            for (Circuit circuit : cluster.circuits()) {
                RowDigest digest = RowDigest.of(KEY, circuit.output(view));
                first += digest.first();
                second += digest.second();
                Batch share = shareOf(one.output(view), read, opened.rangesOf(circuit));
                assertSame(where + view + " of one process", circuit.output(view), share);
            }
            assertThat(new RowDigest(first, second)).as(where + view).isEqualTo(whole);
        }
    }

    private static void checkBytes(String where, SqlProgram program, Circuit one, Opened opened) {
        for (Relation view : program.views()) {
            Batch whole = one.output(view.name());
            Plan.View read = Objects.requireNonNull(program.plan().views().get(view.name()));
            assertThat(bytes(view, opened.cluster.output(view.name())))
                    .as(where + view.name())
                    .isEqualTo(bytes(view, whole));
            Map<Object, Integer> processes = new HashMap<>();
            for (int process = 0; process < opened.cluster.circuits().size(); process++) {
                Batch share = opened.cluster.circuits().get(process).output(view.name());
                assertThat(bytes(view, share))
                        .as(where + view.name() + " of process " + process)
                        .isEqualTo(bytes(view, shareOf(whole, read, opened.layout.rangesOf(process))));
                if (!view.key().isEmpty()) {
                    for (Object key : checkOrder(where, view, share)) {
                        assertThat(processes.putIfAbsent(key, process))
                                .as(where + view.name() + " of key " + key)
                                .isNull();
                    }
                }
            }
        }
    }

    /** What a consumer of a share is told. */
    private static String bytes(Relation view, Batch change) {
        RowText text = new RowText(view);
        OrderedRows.visit(
                change,
                view.key(),
                (row, weight) -> text.append(weight).append(" ").json(row).append("\n"));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            text.drainTo(out);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    /** That changes of one key follow each other, what leaves before what comes; gives the keys. */
    private static Set<Object> checkOrder(String where, Relation view, Batch share) {
        Set<Object> keys = new HashSet<>();
        List<Object> last = new ArrayList<>();
        boolean[] hasCome = {false};
        OrderedRows.visit(share, view.key(), (row, weight) -> {
            List<Object> key = new ArrayList<>();
            for (int column : view.key()) {
                // Of several rows one is of the scale that it was given with.
                key.add(String.valueOf(ObjectValues.read(view.types().get(column), row, column)));
            }
            boolean isNext = !key.equals(last);
            assertThat(!isNext || keys.add(key))
                    .as(where + view.name() + " in one piece of key " + key)
                    .isTrue();
            assertThat(!isNext && hasCome[0] && weight < 0)
                    .as(where + view.name() + " leaves first of key " + key)
                    .isFalse();
            hasCome[0] = weight > 0;
            last.clear();
            last.addAll(key);
        });
        return keys;
    }

    /** Those of the program, and the one of errors. */
    private static List<Plan.View> viewsOf(Plan plan) {
        List<Plan.View> views = new ArrayList<>(plan.views().values());
        views.add(plan.errors());
        return views;
    }

    private static void checkRows(String where, Plan plan, Opened opened, int step, Map<String, Batch> sums) {
        for (Circuit circuit : opened.cluster.circuits()) {
            circuit.publish(step);
            for (Plan.View view : viewsOf(plan)) {
                ViewRows rows = circuit.rows(view.name());
                Batch share = shareOf(sums.get(view.name()), view, opened.rangesOf(circuit));
                assertSame(where + view.name() + " as it is kept", rows.batch(), share);
                assertThat(rows.step()).isEqualTo(step);
            }
        }
    }

    /** What of a whole change has hashes in some ranges, by the columns that the plan names. */
    private static Batch shareOf(Batch whole, Plan.View view, HashRanges ranges) {
        BatchBuilder share = new BatchBuilder(whole.schema());
        for (BatchCursor row = whole.cursor(); row.valid(); row.next()) {
            long hash = RowHash.start();
            for (int column : view.placedBy()) {
                hash = RowHash.column(hash, whole.schema().column(column), row, column);
            }
            if (ranges.contains(RowHash.finish(hash))) {
                share.addRow(row, row.hash(), row.weight());
            }
        }
        return share.build();
    }

    private static void assertSame(String where, Batch shares, Batch whole) {
        assertThat(ModelSet.read(whole.schema(), shares.cursor()))
                .as(where)
                .isEqualTo(ModelSet.read(whole.schema(), whole.cursor()));
    }

    private static void add(Circuit circuit, String table, List<? extends @Nullable Object> row, long weight) {
        TableInput input = circuit.input(table);
        for (int column = 0; column < row.size(); column++) {
            ObjectValues.write(input.table().schema().column(column), row.get(column), input, column);
        }
        input.add(weight);
    }

    private static List<OpenState> states(List<StateDatabase> databases) {
        List<OpenState> states = new ArrayList<>();
        databases.forEach(
                database -> states.add(database.open(database.versions().last())));
        return states;
    }

    /** How many threads each process has, and which of them owns which shards. */
    private record Layout(int threads, ShardMap map, int smallStepRows) {

        static Layout random(SplittableRandom random, int processes, int smallStepRows) {
            int threads = 1 + random.nextInt(3);
            return new Layout(threads, ShardMaps.random(random, threads * processes), smallStepRows);
        }

        Circuit open(Source source, OpenState state, CircuitPeers peers) {
            return new Circuit(
                    source.compile().plan(),
                    CircuitOptions.inMemory(threads)
                            .withSmallStepRows(smallStepRows)
                            .withViews()
                            .withState(state)
                            .withPeers(peers)
                            .withShards(map));
        }

        HashRanges rangesOf(int process) {
            return ShardMaps.ofProcess(map, threads, process);
        }

        String text() {
            return "%d threads in each process, %d shards with the runs %s"
                    .formatted(threads, map.shards(), map.runs());
        }
    }

    private static Circuit circuit(String text, CircuitOptions options) {
        return new Circuit(SqlProgram.compile(text).plan(), options);
    }

    /** The processes and what each keeps. */
    private static final class Opened {
        private Layout layout;
        private Cluster cluster;
        private List<OpenState> states;

        Opened(Source source, Layout layout, List<OpenState> states) {
            this.layout = layout;
            this.states = states;
            this.cluster = open(source);
        }

        private Cluster open(Source source) {
            return new Cluster(states.size(), peers -> layout.open(source, states.get(peers.self()), peers));
        }

        HashRanges rangesOf(Circuit circuit) {
            return layout.rangesOf(cluster.circuits().indexOf(circuit));
        }

        /**
         * Commits in each process, brings to each the rows that it owns in another layout, and opens all again in that.
         *
         * @param commitsMove whether the rows that moved are read from files
         */
        void restart(Source source, Layout next, List<StateDatabase> databases, long step, boolean commitsMove) {
            for (int process = 0; process < states.size(); process++) {
                Circuit circuit = cluster.circuits().get(process);
                states.get(process)
                        .commit(new StateRecord(step, circuit.plan().fingerprint(), new byte[0], circuit.attributes()));
            }
            cluster.close();
            states = states(databases);
            for (int from = 0; from < states.size(); from++) {
                for (int to = 0; to < states.size(); to++) {
                    if (from != to) {
                        move(states.get(from), states.get(to), next.rangesOf(to));
                    }
                }
            }
            if (commitsMove) {
                states.forEach(state -> state.commit(state.record()));
                states = states(databases);
            }
            layout = next;
            cluster = open(source);
        }

        private static void move(OpenState from, OpenState to, HashRanges ranges) {
            for (HashRange range : ranges.ranges()) {
                for (OpenState.ShardPiece piece : from.exportShards(range)) {
                    Batch sent = BatchFormat.decode(BatchFormat.encode(piece.rows()), "sent");
                    to.importShard(new OpenState.ShardPiece(piece.table(), sent));
                }
                from.dropShards(range);
            }
        }
    }

    @Test
    void rowsThatLieWhereTheyArePutOutAreNotSentAgain() {
        String tables = "CREATE TABLE t (a BIGINT, b BIGINT); CREATE TABLE u (a BIGINT, c BIGINT); CREATE VIEW v AS ";
        assertThat(placedBy(tables + "SELECT b, a + 1 AS c FROM t")).containsExactly(0, 1);
        assertThat(kinds(tables + "SELECT b, a + 1 AS c FROM t")).contains("place", "placed");
        for (String query : List.of(
                "SELECT SUM(b) AS s, a FROM t GROUP BY a",
                "SELECT SUM(b) + 1 AS s, a FROM t WHERE b > 3 GROUP BY a HAVING COUNT(*) > 1",
                "SELECT c, u.a FROM t JOIN u ON t.b = u.a")) {
            assertThat(placedBy(tables + query)).as(query).containsExactly(1);
            assertThat(kinds(tables + query)).as(query).doesNotContain("place", "placed");
        }
    }

    @Test
    void rowsLieByTheKeyOfTheirOutputUnlessTheyLieByAPartOfItAlready() {
        String tables = "CREATE TABLE t (a BIGINT, b BIGINT); CREATE TABLE u (a BIGINT, c BIGINT); CREATE VIEW v WITH ";
        String sums = " AS SELECT SUM(b) AS s, a, COUNT(*) AS n FROM t GROUP BY a";
        for (String key : List.of("a", "s, A", "a, n, s")) {
            assertThat(placedBy(tables + "('key' = '" + key + "')" + sums))
                    .as(key)
                    .containsExactly(1);
            assertThat(kinds(tables + "('key' = '" + key + "')" + sums)).as(key).doesNotContain("place", "placed");
        }
        assertThat(placedBy(tables + "('key' = 'n, s')" + sums)).containsExactly(0, 2);
        assertThat(kinds(tables + "('key' = 'n, s')" + sums)).containsOnlyOnce("place", "placed");
        assertThat(placedBy(tables + "('key' = 'b') AS SELECT a, b FROM t")).containsExactly(1);
        // Equal in all rows, so that either of both is where they lie.
        for (String key : List.of("x", "y")) {
            String join = "('key' = '" + key + "') AS SELECT c, u.a AS x, t.b AS y FROM t JOIN u ON t.b = u.a";
            assertThat(kinds(tables + join)).as(key).doesNotContain("place", "placed");
        }
        assertThat(kinds(tables + "('key' = 'n') AS SELECT COUNT(*) AS n FROM t"))
                .doesNotContain("place", "placed");
    }

    @Test
    void onlyAKeyByWhichRowsWouldLieElsewhereMakesAnotherCircuit() {
        String tables = "CREATE TABLE t (a BIGINT, b BIGINT); CREATE VIEW v ";
        String rows = "AS SELECT a, b FROM t";
        String sums = "AS SELECT a, SUM(b) AS s FROM t GROUP BY a";
        assertThat(fingerprint(tables + "WITH ('key' = 'a') " + sums)).isEqualTo(fingerprint(tables + sums));
        assertThat(fingerprint(tables + "WITH ('key' = 'b, a') " + rows)).isEqualTo(fingerprint(tables + rows));
        assertThat(fingerprint(tables + "WITH ('key' = 's') " + sums)).isNotEqualTo(fingerprint(tables + sums));
        assertThat(fingerprint(tables + "WITH ('key' = 'a') " + rows))
                .isNotEqualTo(fingerprint(tables + rows))
                .isNotEqualTo(fingerprint(tables + "WITH ('key' = 'b') " + rows));
    }

    private static String fingerprint(String text) {
        return SqlProgram.compile(text).fingerprint();
    }

    private static List<Integer> placedBy(String text) {
        return SqlProgram.compile(text).plan().views().get("v").placedBy();
    }

    private static List<String> kinds(String text) {
        return SqlProgram.compile(text).plan().nodes().stream().map(Node::kind).toList();
    }

    @Test
    void ofAnAggregateOfAllRowsEachThreadSendsOneRow() {
        String text = "CREATE TABLE t (a BIGINT, b DOUBLE);"
                + " CREATE VIEW v AS SELECT COUNT(*) AS n, SUM(a) AS s, AVG(a) AS m, SUM(b) AS d, VAR_SAMP(b) AS x,"
                + " COUNT(a) FILTER (WHERE b > 3) AS f, COUNT(DISTINCT a) AS u FROM t";
        CircuitOptions options = CircuitOptions.inMemory(2).withSmallStepRows(0);
        try (Circuit one = circuit(text, CircuitOptions.inMemory(1));
                Cluster cluster = new Cluster(3, peers -> circuit(text, options.withPeers(peers)))) {
            for (int row = 0; row < 1_000; row++) {
                List<Object> values = List.of((long) row % 300, row / 3.0);
                add(one, "t", values, 1);
                cluster.each(circuit -> add(circuit, "t", values, 1));
            }
            one.step();
            cluster.step();
            assertSame("sums of partials", cluster.output("v"), one.output("v"));
            // One of the rows and one of the distinct values, from each of six threads.
            assertThat(rowsToTheOwner(cluster)).isEqualTo(6 + 6);
        }
    }

    /** Rows that exchanges without a key have given. */
    private static long rowsToTheOwner(Cluster cluster) {
        return cluster.circuits().stream()
                .flatMap(circuit -> circuit.metrics().stream())
                .filter(operator -> operator.kind().equals("exchange")
                        && operator.description().isEmpty())
                .mapToLong(OperatorMetrics::rows)
                .sum();
    }

    @Test
    void allProcessesRejectTheSameStep() {
        CircuitOptions options = CircuitOptions.inMemory(2).withSmallStepRows(0);
        try (Cluster cluster = new Cluster(3, peers -> circuit(PROGRAM, options.withPeers(peers)))) {
            cluster.each(circuit -> add(circuit, "item", List.of(1L, "a", 5L), 1));
            cluster.step();
            cluster.each(circuit -> add(circuit, "item", List.of(2L, "b", 5L), 1));
            cluster.each(circuit -> add(circuit, "item", List.of(1L, "b", 5L), 1));
            StepRejectedException rejected = (StepRejectedException) catchThrowable(cluster::step);
            assertThat(rejected.key()).isEqualTo(List.of(1L));
            assertThat(rejected.keyColumns()).isEqualTo(List.of(0));
            assertThat(rejected).hasMessageContaining("2 rows with the primary key [1]");
            cluster.each(circuit -> add(circuit, "item", List.of(2L, "c", 5L), 1));
            cluster.step();
            assertThat(cluster.output("held").rowCount()).isEqualTo(1);
        }
    }

    @Test
    void allProcessesStopAtTheSameError() {
        CircuitOptions options = CircuitOptions.inMemory(1).withOnError(OnError.STOP);
        String text = "CREATE TABLE t (a BIGINT); CREATE VIEW v AS SELECT 1 / a AS q FROM t";
        try (Cluster cluster = new Cluster(3, peers -> circuit(text, options.withPeers(peers)))) {
            cluster.each(circuit -> add(circuit, "t", List.of(0L), 1));
            assertThat(catchThrowable(cluster::step))
                    .isInstanceOf(StepFailedException.class)
                    .hasMessageContaining("zero");
        }
    }
}
