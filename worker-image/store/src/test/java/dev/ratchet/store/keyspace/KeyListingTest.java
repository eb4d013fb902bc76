/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import dev.ratchet.protocol.release.Release;
import dev.ratchet.protocol.release.ReleaseFormats;
import dev.ratchet.protocol.store.v1.StoreIdentity;
import dev.ratchet.store.EmbeddedDatabaseSupplier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeyListingTest {

    private static final TableSchema<Long> COUNTS =
            TableSchema.of("test", "counts", Values.counter(), "name", "number");

    private final Database database = new EmbeddedDatabaseSupplier().get();
    private final Keyspace keyspace = new Keyspace("team-a/orders");
    private final KeyListing listing =
            new KeyListing(keyspace, new KeyRegistry(List.<KeyTree>of(new StoreTables(), () -> List.of(COUNTS))));

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void everythingIsShownPageByPageAndNothingOfOthers() {
        Table<Long> counts = COUNTS.in(keyspace);
        database.run(transaction -> {
            for (long i = 0; i < 10; i++) {
                transaction.set(counts.key("a", i), counts.encode(i * i));
                transaction.set(COUNTS.in(new Keyspace("team-b/orders")).key("a", i), counts.encode(7L));
            }
            transaction.set(keyspace.root().pack(Tuple.from("who", "knows", new byte[] {1})), new byte[] {2});
            return null;
        });
        List<String> shown = new ArrayList<>();
        byte[] next = null;
        do {
            byte[] from = next;
            KeyListing.Page page = database.readAsync(transaction -> listing.page(transaction, new Tuple(), from, 4))
                    .join();
            page.lines().forEach(line -> shown.add(line.path() + " = " + line.value()));
            next = page.next();
        } while (next != null);
        assertThat(shown)
                .hasSize(11)
                .contains("test/counts/a/3 = 9")
                .last()
                .isEqualTo("who/knows/0x01 = 1 bytes \\x02");
    }

    @Test
    void aPathChoosesWhatBeginsWithIt() {
        Table<Long> counts = COUNTS.in(keyspace);
        database.run(transaction -> {
            transaction.set(counts.key("a", 1), counts.encode(1L));
            transaction.set(counts.key("a", 10), counts.encode(2L));
            transaction.set(counts.key("ab", 1), counts.encode(3L));
            return null;
        });
        assertThat(lines("test/counts/a")).containsExactly("test/counts/a/1 = 1", "test/counts/a/10 = 2");
        assertThat(lines("test/counts/a/10")).containsExactly("test/counts/a/10 = 2");
        assertThat(lines("test/nothing")).isEmpty();
    }

    @Test
    void eachLineCanBeAskedForByWhatItShows() {
        UUID id = new UUID(1, 2);
        Versionstamp stamp = Versionstamp.complete(new byte[10], 3);
        List<Tuple> keys = List.of(
                Tuple.from("test", "counts", id, Long.MAX_VALUE),
                Tuple.from("test", "counts", stamp),
                Tuple.from("test", "counts", "a/b", new byte[] {1}),
                Tuple.from("test", "counts", "12"));
        database.run(transaction -> {
            keys.forEach(key ->
                    transaction.set(keyspace.root().pack(key), Values.counter().encode(5L, 1)));
            return null;
        });
        assertThat(lines("test")).hasSize(keys.size()).allSatisfy(line -> {
            String path = line.substring(0, line.indexOf(" = "));
            assertThat(lines(path)).containsExactly(line);
        });
    }

    @Test
    void aPathThatNoKeyCanHaveIsToldWithWhatThereIs() {
        KeyRegistry registry = new KeyRegistry(List.<KeyTree>of(new StoreTables(), () -> List.of(COUNTS)));
        assertThat(registry.problem(Tuple.from("tests"))).hasValue("there is no module tests: there are store, test");
        assertThat(registry.problem(Tuple.from("test", "count", "a")))
                .hasValue("module test has no table count: it has counts");
        assertThat(registry.problem(Tuple.from("test", "counts", "a", 1, 2)))
                .hasValue("keys are no longer than test/counts/<name>/<number>");
        assertThat(registry.problem(Tuple.from("test", "counts", "a"))).isEmpty();
        assertThat(registry.problem(Tuple.from("test"))).isEmpty();
        assertThat(registry.problem(new Tuple())).isEmpty();
    }

    @Test
    void idsAreShownAsIds() {
        UUID first = new UUID(1, 2);
        UUID second = new UUID(3, -4);
        assertThat(Values.ids()
                        .describe(ByteBuffer.allocate(40)
                                .putLong(1)
                                .putLong(2)
                                .putLong(3)
                                .putLong(-4)
                                .putLong(77)
                                .array()))
                .isEqualTo(first + " " + second + " 77");
        assertThat(Values.ids().describe(new byte[3])).startsWith("3 bytes");
    }

    @Test
    void aValueThatCanNotBeDecodedIsShownAsBytes() {
        database.run(transaction -> {
            transaction.set(COUNTS.in(keyspace).key("a", 1), new byte[] {1, 2, 3});
            return null;
        });
        assertThat(lines("test")).singleElement().asString().contains("unreadable", "3 bytes");
    }

    @Test
    void aSubspaceBelongsToWhoeverUsedItFirst() {
        StoreRecord first = open(keyspace, "team-a/orders");
        assertThat(open(keyspace, "team-a/orders")).isEqualTo(first);
        assertThat(first.storeId()).hasSize(32);
        assertThat(first.generation()).isEqualTo(1);
        assertThatThrownBy(() -> open(keyspace, "team-b/orders"))
                .hasCauseInstanceOf(WrongStoreException.class)
                .hasMessageContaining("belongs to cluster team-a/orders");
        assertThat(database.runAsync(transaction -> StoreRecord.raiseGeneration(transaction, keyspace, 7))
                        .join())
                .isEqualTo(7);
        assertThat(open(keyspace, "team-a/orders"))
                .isEqualTo(new StoreRecord(
                        first.storeId(), ReleaseFormats.OWN.levels().newest(), 7));
        assertThat(database.runAsync(transaction -> StoreRecord.raiseGeneration(transaction, keyspace, 6))
                        .join())
                .isEqualTo(7);
    }

    @Test
    void aForeignFormatIsRefused() {
        Table<StoreIdentity> identities = StoreTables.IDENTITY.in(keyspace);
        database.run(transaction -> {
            transaction.set(
                    identities.key(),
                    identities.encode(StoreIdentity.newBuilder()
                            .setOwner("team-a/orders")
                            .setFormat(9)
                            .setFormatRelease("0.9.0")
                            .build()));
            return null;
        });
        assertThatThrownBy(() -> open(keyspace, "team-a/orders"))
                .hasMessageContaining(
                        "format level 9, recorded by release 0.9.0, and this release, " + Release.VERSION);
    }

    private StoreRecord open(Keyspace keyspace, String owner) {
        return database.runAsync(transaction ->
                        StoreRecord.openOrCreate(transaction, keyspace, owner, ReleaseFormats.OWN, new Random(1)))
                .join();
    }

    private List<String> lines(String path) {
        return database
                .readAsync(transaction -> listing.page(transaction, KeyPath.parse(path), null, 100))
                .join()
                .lines()
                .stream()
                .map(line -> line.path() + " = " + line.value())
                .toList();
    }

    @Test
    void everyKeyspaceThatHasKeysIsFound() {
        open(new Keyspace("team-b/other"), "team-b/other");
        open(keyspace, "team-a/orders");
        assertThat(database.readAsync(Keyspace::all).join().stream().map(Keyspace::name))
                .containsExactly("team-a/orders", "team-b/other");
    }
}
