/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.batch.RowDigest;
import dev.ratchet.circuits.batch.RowWalk;
import dev.ratchet.circuits.builder.CircuitBuilder;
import dev.ratchet.circuits.builder.Stream;
import dev.ratchet.circuits.operator.AggregateCall;
import dev.ratchet.circuits.state.DirectoryFiles;
import dev.ratchet.circuits.state.FileStateDatabase;
import dev.ratchet.circuits.state.OpenState;
import dev.ratchet.circuits.state.StateRecord;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rows of views are those of one step, whoever reads them, when, and whatever becomes of their files. */
@Timeout(120)
class ViewRowsTest {

    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    private static final int KEYS = 400;
    private static final int STEPS = 60;
    private static final long SPILL_BYTES = 2_000;

    @TempDir
    private Path directory;

    /** A view of the rows and one of groups, whose rows are kept by another column than the first. */
    private static Plan plan() {
        CircuitBuilder builder = new CircuitBuilder();
        Stream table = builder.table("t", List.of(BIGINT, BIGINT));
        builder.view("rows", table);
        builder.view(
                "groups",
                table.aggregate(List.of(1), List.of(AggregateCall.countRows(BIGINT)))
                        .project(List.of(1, 0)));
        return builder.build();
    }

    /** Lets every key have the number of the step in place of that of the one before. */
    private static void step(Circuit circuit, long step) {
        TableInput input = circuit.input("t");
        for (long key = 0; key < KEYS; key++) {
            for (long value = Math.max(1, step - 1); value <= step; value++) {
                input.setLong(0, key);
                input.setLong(1, value);
                input.add(value == step ? 1 : -1);
            }
        }
        circuit.step();
        circuit.publish(step);
    }

    /** Each key has the number of the step that is asked for, and there is one group. */
    private static void check(ViewRows rows, ViewRows groups) {
        long sum = 0;
        long count = 0;
        for (RowWalk row = rows.cursor(); row.valid(); row.next()) {
            assertThat(row.longAt(1)).isEqualTo(rows.step());
            assertThat(row.weight()).isEqualTo(1);
            sum += row.longAt(0);
            count++;
        }
        assertThat(count).isEqualTo(KEYS);
        assertThat(sum).isEqualTo(KEYS * (KEYS - 1L) / 2);
        RowWalk group = groups.cursor();
        assertThat(List.of(group.longAt(0), group.longAt(1))).isEqualTo(List.of((long) KEYS, groups.step()));
        group.next();
        assertThat(group.valid()).isFalse();
    }

    @Test
    void areReadBySeveralThreadsWhileStepsAndCommitsGoOn() {
        ExecutorService readers = Executors.newFixedThreadPool(2);
        AtomicBoolean isOver = new AtomicBoolean();
        try (FileStateDatabase database = FileStateDatabase.on(DirectoryFiles.in(directory), 1 << 16, SPILL_BYTES)) {
            OpenState state = database.open(0);
            CircuitOptions options = CircuitOptions.inMemory(2)
                    .withSmallStepRows(0)
                    .withState(state)
                    .withViews();
            try (Circuit circuit = new Circuit(plan(), options)) {
                step(circuit, 1);
                ViewRows firstRows = circuit.rows("rows");
                ViewRows firstGroups = circuit.rows("groups");
                CompletableFuture<Integer> reader = CompletableFuture.supplyAsync(
                        () -> {
                            int reads = 0;
                            do {
                                check(circuit.rows("rows"), circuit.rows("groups"));
                                reads++;
                            } while (!isOver.get());
                            return reads;
                        },
                        readers);
                for (int step = 2; step <= STEPS; step++) {
                    step(circuit, step);
                    state.commit(
                            new StateRecord(step, circuit.plan().fingerprint(), new byte[0], circuit.attributes()));
                }
                isOver.set(true);
                assertThat(reader.join()).isPositive();
                check(firstRows, firstGroups);
                assertThat(firstRows.step()).isEqualTo(1);
                check(circuit.rows("rows"), circuit.rows("groups"));
                assertThat(circuit.rows("rows").step()).isEqualTo(STEPS);
            }
        } finally {
            isOver.set(true);
            readers.shutdown();
        }
    }

    @Test
    void areRefusedOfAStateThatHasNone() {
        try (FileStateDatabase database = FileStateDatabase.in(directory)) {
            OpenState state = database.open(0);
            try (Circuit circuit =
                    new Circuit(plan(), CircuitOptions.inMemory(1).withState(state))) {
                circuit.step();
                assertThatThrownBy(() -> circuit.publish(1)).hasMessageContaining("withViews()");
                state.commit(new StateRecord(1, circuit.plan().fingerprint(), new byte[0], circuit.attributes()));
            }
            CircuitOptions options =
                    CircuitOptions.inMemory(1).withState(database.open(1)).withViews();
            assertThatThrownBy(() -> new Circuit(plan(), options)).hasMessageContaining("has no rows of views");
        }
    }

    @Test
    void digestsTellChangesApartByTheirKey() {
        try (Circuit circuit = new Circuit(plan(), CircuitOptions.inMemory(1).withViews())) {
            step(circuit, 1);
            RowDigest.Key key = new RowDigest.Key(1, 2);
            RowDigest digest = RowDigest.of(key, circuit.output("rows"));
            assertThat(RowDigest.of(key, circuit.rows("rows").batch())).isEqualTo(digest);
            assertThat(RowDigest.of(new RowDigest.Key(1, 3), circuit.output("rows"))
                            .first())
                    .isEqualTo(digest.first());
            assertThat(RowDigest.of(new RowDigest.Key(1, 3), circuit.output("rows"))
                            .second())
                    .isNotEqualTo(digest.second());
            step(circuit, 2);
            assertThat(RowDigest.of(key, circuit.output("rows"))).isNotEqualTo(digest);
            assertThat(RowDigest.of(key, circuit.rows("rows").batch()).first())
                    .isEqualTo(digest.first()
                            + RowDigest.of(key, circuit.output("rows")).first());
        }
    }
}
