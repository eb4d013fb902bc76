/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.futures.v1.Block;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.QueuePartition;
import dev.ratchet.protocol.futures.v1.Result;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.futures.v1.StoredObject;
import dev.ratchet.store.EmbeddedDatabaseSupplier;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FutureIndexTest {

    private static final FutureId ONE = new FutureId(new UUID(1, 1));
    private static final FutureId OTHER = new FutureId(new UUID(2, 2));
    private static final List<State> STATES = List.of(
            State.STATE_WAITING,
            State.STATE_QUEUED,
            State.STATE_CLAIMED,
            State.STATE_REALIZED,
            State.STATE_FAILED,
            State.STATE_DELETED);

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Database database = new EmbeddedDatabaseSupplier(environment).get();
    private final FutureKeys keys = new FutureKeys(new Keyspace("test/indexes"));

    @AfterEach
    void close() {
        environment.close();
    }

    /** However a record changes from step to step, what is there is what follows from it alone. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whatIsWrittenStepByStepIsWhatFollowsFromTheRecord(long seed) {
        Random random = new Random(seed);
        Optional<FutureRecord> before = Optional.empty();
        for (int step = 0; step < 40; step++) {
            Optional<FutureRecord> after = random.nextInt(8) == 0 ? Optional.empty() : Optional.of(any(random));
            move(ONE, before, after);
            assertThat(rows()).as("seed %d step %d: %s", seed, step, after).isEqualTo(entries(ONE, after));
            before = after;
        }
    }

    @Test
    void aNameThatGoesFromOneFutureToAnotherIsBoundToTheOther() {
        FutureRecord named = record(State.STATE_QUEUED).addBoundNames("best").build();
        FutureRecord nameless = record(State.STATE_QUEUED).build();
        byte[] name = keys.bound.key("default", "best");
        move(ONE, Optional.empty(), Optional.of(named));
        move(OTHER, Optional.empty(), Optional.of(nameless));
        database.run(transaction -> {
            IndexWriter indexes = new IndexWriter(transaction, keys);
            indexes.move(OTHER, Optional.of(nameless), Optional.of(named));
            indexes.move(ONE, Optional.of(named), Optional.of(nameless));
            indexes.finish();
            return null;
        });
        byte[] bound = database.run(transaction -> transaction.get(name).join());
        assertThat(bound).isEqualTo(FutureIndex.BOUND.value(OTHER));
    }

    @Test
    void aBlockThatAllHaveLeftIsFoundNowhere() {
        FutureRecord.Builder block =
                record(State.STATE_CANCELLED).setBlock(Block.newBuilder().setFutures(3));
        assertThat(entries(ONE, Optional.of(block.build()))).isNotEmpty();
        BlockFutures.leaveAll(block.getBlockBuilder());
        assertThat(entries(ONE, Optional.of(block.build()))).isEmpty();
    }

    private void move(FutureId id, Optional<FutureRecord> before, Optional<FutureRecord> after) {
        database.run(transaction -> {
            IndexWriter indexes = new IndexWriter(transaction, keys);
            indexes.move(id, before, after);
            indexes.finish();
            return null;
        });
    }

    private Set<String> entries(FutureId id, Optional<FutureRecord> record) {
        Set<String> entries = new TreeSet<>();
        record.ifPresent(found -> FutureIndex.all()
                .forEach(index -> index.keys(keys, id, found).forEach(key -> entries.add(text(key, index.value(id))))));
        return entries;
    }

    private Set<String> rows() {
        Set<String> rows = new TreeSet<>();
        database.run(transaction -> {
            CompletableFuture<Void> all = transaction
                    .getRange(keys.keyspace().root().range())
                    .asList()
                    .thenAccept(found -> found.forEach(row -> rows.add(text(row.getKey(), row.getValue()))));
            return all.join();
        });
        return rows;
    }

    private static String text(byte[] key, byte[] value) {
        return HexFormat.of().formatHex(key) + "=" + HexFormat.of().formatHex(value);
    }

    private static FutureRecord any(Random random) {
        FutureRecord.Builder record = record(STATES.get(random.nextInt(STATES.size())))
                .setName(random.nextBoolean() ? "" : "report")
                .setExpiresWallMillis(random.nextInt(3))
                .setClaim(ClaimToken.newBuilder()
                        .setSeat(random.nextBoolean() ? "" : "w-" + random.nextInt(2))
                        .setIncarnation(random.nextInt(2)));
        if (random.nextBoolean()) {
            record.setParkedFor(Ids.bytes(random.nextBoolean() ? ONE : OTHER));
        }
        List<String> names = new ArrayList<>(List.of("a", "b", "c"));
        record.addAllBoundNames(names.subList(random.nextInt(2), 1 + random.nextInt(3)));
        StoredObject.Builder object = StoredObject.newBuilder().setEpoch(random.nextInt(2));
        for (int seat = 0; seat < random.nextInt(3); seat++) {
            object.addCopies(Copy.newBuilder().setSeat("w-" + seat).setIncarnation(1));
        }
        return record.setResult(Result.newBuilder().setObject(object)).build();
    }

    private static FutureRecord.Builder record(State state) {
        return FutureRecord.newBuilder()
                .setState(state)
                .setJob("job")
                .setPartition(QueuePartition.newBuilder().setTenant("default"));
    }
}
