/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.BatchFormat;
import dev.ratchet.circuits.batch.HashRange;
import dev.ratchet.circuits.batch.HashRanges;
import dev.ratchet.circuits.sample.ModelSet;
import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.TypeKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every state database does, whatever it is made of. */
abstract class StateConformance {

    abstract StateDatabase create(long seed);

    static LongStream seeds() {
        return Samples.seeds(60);
    }

    private static Batch rows(long... numbers) {
        BatchBuilder builder = new BatchBuilder(StateWorkload.NUMBERS);
        for (long number : numbers) {
            ModelSet.add(builder, List.of(number, "v" + number), 1);
        }
        return builder.build();
    }

    private static StateRecord step(long step) {
        return new StateRecord(step, "p", new byte[0], Map.of());
    }

    private static Trace whole(OpenState state) {
        return state.trace("t", StateWorkload.NUMBERS, HashRanges.ALL);
    }

    private static long count(OpenState state) {
        return state.statistics().rows();
    }

    @Test
    void aNewDatabaseHasVersionZeroWhichIsEmpty() {
        try (StateDatabase database = create(1)) {
            assertThat(database.versions()).isEqualTo(new StateVersions(0, 0));
            OpenState state = database.open(0);
            assertThat(state.version()).isEqualTo(1);
            assertThat(state.record()).isEqualTo(StateRecord.EMPTY);
            assertThat(state.tables()).isEmpty();
            assertThatThrownBy(() -> database.open(1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aCommitMakesTheNextVersionAndTheStateStaysOpen() {
        try (StateDatabase database = create(1)) {
            OpenState state = database.open(0);
            Trace trace = whole(state);
            trace.insert(rows(1, 2));
            state.commit(step(5));
            assertThat(database.versions()).isEqualTo(new StateVersions(0, 1));
            assertThat(state.version()).isEqualTo(2);
            assertThat(state.record()).isEqualTo(step(5));
            trace.insert(rows(3));
            state.commit(step(6));
            assertThat(database.versions()).isEqualTo(new StateVersions(1, 2));
            assertThat(count(database.open(2))).isEqualTo(3);
            assertThat(database.versions()).isEqualTo(new StateVersions(2, 2));
        }
    }

    @Test
    void theOlderVersionIsWhatItWas() {
        try (StateDatabase database = create(1)) {
            OpenState state = database.open(0);
            Trace trace = whole(state);
            trace.insert(rows(1));
            state.commit(step(1));
            trace.insert(rows(2, 3, 4));
            trace.work(1000);
            state.commit(step(2));
            OpenState older = database.open(1);
            assertThat(older.record()).isEqualTo(step(1));
            assertThat(count(older)).isEqualTo(1);
            assertThat(older.version()).isEqualTo(2);
            assertThatThrownBy(() -> state.commit(step(3))).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void whatWasNotCommittedIsGone() {
        try (StateDatabase database = create(1)) {
            OpenState state = database.open(0);
            Trace trace = whole(state);
            trace.insert(rows(1));
            state.commit(step(1));
            trace.insert(rows(2));
            assertThat(count(database.open(1))).isEqualTo(1);
        }
    }

    @Test
    void whatComesAfterThePreparationIsNotInTheCommit() {
        try (StateDatabase database = create(1)) {
            OpenState state = database.open(0);
            Trace trace = whole(state);
            trace.insert(rows(1, 2));
            PendingCommit commit = state.prepare(step(1));
            trace.insert(rows(3, 4, 5, 6, 7));
            trace.work(1000);
            commit.complete();
            assertThat(commit.version()).isEqualTo(1);
            assertThat(count(state)).isEqualTo(7);
            assertThat(count(database.open(1))).isEqualTo(2);
        }
    }

    @Test
    void tablesThatNobodyAskedForStay() {
        try (StateDatabase database = create(1)) {
            OpenState state = database.open(0);
            whole(state).insert(rows(1, 2, 3));
            state.values("op9/clock").put(bytes("watermark"), bytes("77"));
            state.commit(step(1));
            OpenState next = database.open(1);
            next.commit(step(2));
            OpenState last = database.open(2);
            assertThat(last.tables()).containsExactly("op9/clock", "t");
            last.dropTable("t");
            last.commit(step(3));
            assertThat(last.tables()).containsExactly("op9/clock");
            assertThat(database.open(3).values("op9/clock").get(bytes("watermark")))
                    .hasValue(bytes("77"));
        }
    }

    @Test
    void keysHaveOneValueEach() {
        try (StateDatabase database = create(1)) {
            OpenState state = database.open(0);
            KeyValueTable values = state.values("op2/values");
            values.put(bytes("a"), bytes("1"));
            values.put(bytes("a"), bytes("2"));
            values.put(bytes("b"), bytes(""));
            values.delete(bytes("c"));
            state.commit(step(1));
            KeyValueTable read = database.open(1).values("op2/values");
            assertThat(read.get(bytes("a"))).hasValue(bytes("2"));
            assertThat(read.get(bytes("b"))).hasValue(bytes(""));
            assertThat(read.get(bytes("c"))).isEmpty();
            read.delete(bytes("a"));
            assertThat(read.get(bytes("a"))).isEmpty();
            int keys = 0;
            for (var cursor = read.cursor(); cursor.valid(); cursor.next()) {
                keys++;
            }
            assertThat(keys).isEqualTo(1);
        }
    }

    @Test
    void aTableOfOtherColumnsAndARangeGivenTwiceAreRefused() {
        try (StateDatabase database = create(1)) {
            OpenState state = database.open(0);
            state.trace("t", StateWorkload.NUMBERS, HashRanges.of(HashRange.ofShards(0, 1, 2)));
            assertThatThrownBy(() -> whole(state)).isInstanceOf(IllegalArgumentException.class);
            RowSchema other = RowSchema.ofKey(ColumnType.of(TypeKind.DATE));
            assertThatThrownBy(() -> state.trace("t", other, HashRanges.of(HashRange.ofShards(1, 2, 2))))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> state.dropTable("t")).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** Shards that move: by their batches as bytes, into a database that has other rows already. */
    @ParameterizedTest
    @MethodSource("seeds")
    void shardsMoveFromOneDatabaseToAnother(long seed) {
        try (StateDatabase from = create(seed);
                StateDatabase to = create(seed + 1)) {
            StateWorkload workload = new StateWorkload(seed);
            OpenState source = from.open(0);
            workload.open(source);
            for (int i = 0; i < 5; i++) {
                workload.step();
            }
            source.commit(step(1));
            workload.step();
            SortedMap<String, ModelSet> all = StateWorkload.content(source);

            HashRange moving = HashRange.ofShards((int) seed % 4, (int) seed % 4 + 1, 4);
            OpenState target = to.open(0);
            if (seed % 2 == 0) {
                new StateWorkload(seed + 5).open(target);
            }
            for (OpenState.ShardPiece piece : source.exportShards(moving)) {
                byte[] wire = BatchFormat.encode(piece.rows());
                target.importShard(new OpenState.ShardPiece(piece.table(), BatchFormat.decode(wire, "wire")));
            }
            source.dropShards(moving);
            source.commit(step(2));
            target.commit(step(2));

            SortedMap<String, ModelSet> sum = StateWorkload.content(from.open(2));
            StateWorkload.content(to.open(1))
                    .forEach((table, rows) ->
                            sum.computeIfAbsent(table, name -> new ModelSet()).add(rows));
            assertThat(sum).isEqualTo(all);
        }
    }

    /** A long random life, in lockstep with the reference. */
    @ParameterizedTest
    @MethodSource("seeds")
    void itIsTheSlowReference(long seed) {
        try (StateDatabase tested = create(seed);
                StateDatabase reference = new NaiveStateDatabase()) {
            StateWorkload left = new StateWorkload(seed);
            StateWorkload right = new StateWorkload(seed);
            Samples choice = new Samples(~seed);
            OpenState fast = tested.open(0);
            OpenState slow = reference.open(0);
            left.open(fast);
            right.open(slow);
            for (int step = 0; step < 25; step++) {
                left.step();
                right.step();
                if (choice.random().nextInt(3) == 0) {
                    PendingCommit pending = fast.prepare(left.record(step));
                    PendingCommit expected = slow.prepare(right.record(step));
                    left.step();
                    right.step();
                    pending.complete();
                    expected.complete();
                }
                assertThat(tested.versions()).isEqualTo(reference.versions());
                assertThat(fast.record()).isEqualTo(slow.record());
                if (choice.random().nextInt(5) == 0) {
                    long version = choice.random().nextBoolean()
                            ? tested.versions().first()
                            : tested.versions().last();
                    fast = tested.open(version);
                    slow = reference.open(version);
                    left.open(fast);
                    right.open(slow);
                }
                assertThat(StateWorkload.content(fast))
                        .as("seed %d step %d", seed, step)
                        .isEqualTo(StateWorkload.content(slow));
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
