/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.record.LogPosition;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.dataflow.v1.DivisionRecord;
import dev.ratchet.protocol.dataflow.v1.LogRecord;
import dev.ratchet.protocol.dataflow.v1.LoggedRows;
import dev.ratchet.protocol.dataflow.v1.ProgressRecord;
import dev.ratchet.protocol.dataflow.v1.RunRecord;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;

/** Whatever the circuit does, the lag is what a count of all requests behind the last step that is taken finds. */
class InputLagTest {

    private static final int CHANGES = 400;
    private static final int RECORDS_READ = 12;
    private static final int AHEAD = 4;
    private static final long PERIOD_NANOS = 200_000_000;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final SystemEnvironment system = new SystemEnvironment();
    private final Database database = StoreUnderTest.open(system);
    private final DataflowStore store = new DataflowStore(database, new Keyspace("test/lag"));
    private final List<LogRecord> log = new ArrayList<>();
    private final List<Versionstamp> positions = new ArrayList<>();

    /** How many requests are in the steps up to each. */
    private final List<Integer> ends = new ArrayList<>(List.of(0));

    private int finished;
    private int trimmed;
    private RunRecord run = RunRecord.newBuilder().setNumber(1).build();
    private final Clock clock = new Clock();

    @AfterEach
    void close() {
        database.close();
        system.close();
    }

    @RepeatedTest(10)
    void theLagIsWhatACountFindsWhateverIsTakenAndTakenAgain() {
        InputLag lag = lag();
        int known = 0;
        for (int change = 0; change < CHANGES; change++) {
            switch (random.nextInt(18)) {
                case 0, 1, 2, 3, 4 -> append(1 + random.nextInt(3));
                case 5 -> append(random.nextInt(4) == 0 ? 2 * RECORDS_READ : 1);
                case 6, 7, 8 -> divide();
                case 9, 10, 11 -> finished += random.nextInt(ends.size() - finished);
                case 12 -> takeAgain();
                case 13 -> trim();
                case 14 -> lag = random.nextInt(4) == 0 ? lag() : lag;
                default -> {
                    clock.pass(PERIOD_NANOS);
                    if (lag.look(records()) < 0) {
                        assertThat(lag.rows())
                                .as("seed %d, change %d", seed, change)
                                .isEqualTo(counted());
                        known++;
                    } else {
                        assertThat(lag.rows()).as("while not all are counted").isEmpty();
                    }
                }
            }
        }
        assertThat(known).as("seed %d: looks that know the lag", seed).isPositive();
        divide();
        finished = ends.size() - 1;
        int looks = 0;
        do {
            clock.pass(PERIOD_NANOS);
            looks++;
        } while (lag.look(records()) >= 0 && looks < log.size());
        assertThat(lag.rows()).as("seed %d", seed).isEqualTo(counted());
    }

    private InputLag lag() {
        return new InputLag(store, clock, RECORDS_READ);
    }

    private void append(int requests) {
        for (int number = 0; number < requests; number++) {
            LogRecord.Builder head = LogRecord.newBuilder();
            for (int table = 0; table <= random.nextInt(3); table++) {
                head.addTables(LoggedRows.newBuilder()
                        .setTable("t" + random.nextInt(4))
                        .setLines(random.nextInt(5)));
            }
            LogRecord record = head.setBytes(1).build();
            var stamp = database.run(transaction -> {
                store.log().append(transaction, new Tuple(), 0, new Tuple(), record);
                return transaction.getVersionstamp();
            });
            log.add(record);
            positions.add(Versionstamp.complete(stamp.join()));
        }
    }

    private void divide() {
        int end = ends.getLast() + random.nextInt(log.size() - ends.getLast() + 1);
        if (ends.size() - 1 - finished < AHEAD) {
            ends.add(end);
            DivisionRecord division = division(ends.size() - 1);
            database.run(transaction -> {
                DataflowStore.write(transaction, store.divisions(), division, ends.size() - 1L);
                return null;
            });
        }
    }

    private DivisionRecord division(int step) {
        return DivisionRecord.newBuilder()
                .setEnd(LogPosition.encoded(
                        ends.get(step) == 0 ? LogPosition.START : positions.get(ends.get(step) - 1)))
                .build();
    }

    /** A new run begins behind an earlier step. */
    private void takeAgain() {
        finished = trimmed + random.nextInt(finished - trimmed + 1);
        run = RunRecord.newBuilder()
                .setNumber(run.getNumber() + 1)
                .setStep(finished)
                .setPosition(division(finished).getEnd())
                .build();
    }

    /** What is before a step that all have taken is cleared. */
    private void trim() {
        trimmed += random.nextInt(finished - trimmed + 1);
        DivisionRecord division = division(trimmed);
        CircuitRecord circuit = CircuitRecord.newBuilder()
                .setTrimmedStep(trimmed)
                .setTrimmedPosition(division.getEnd())
                .build();
        database.run(transaction -> {
            store.log()
                    .clearBetween(
                            transaction,
                            store.log().range().begin,
                            store.log().range(LogPosition.decoded(division.getEnd())).end);
            DataflowStore.write(transaction, store.circuit(), circuit);
            return null;
        });
    }

    private ClusterRecords records() {
        ProgressRecord progress = ProgressRecord.newBuilder()
                .setRun(run.getNumber())
                .setStep(finished)
                .build();
        return new ClusterRecords(
                CircuitRecord.newBuilder().addSeats("w-0").build(),
                run,
                Map.of(),
                Map.of("w-0", progress),
                new TreeMap<>(),
                Map.of(),
                Long.MAX_VALUE,
                ends.size() - 1L,
                division(ends.size() - 1),
                log.size() - ends.getLast());
    }

    private Map<String, Long> counted() {
        Map<String, Long> rows = new TreeMap<>();
        log.subList(ends.get(finished), log.size()).forEach(head -> head.getTablesList()
                .forEach(table -> rows.merge(table.getTable(), table.getLines(), Long::sum)));
        rows.values().removeIf(count -> count == 0);
        return rows;
    }
}
