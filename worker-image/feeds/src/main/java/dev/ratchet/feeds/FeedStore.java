/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.feeds;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.protocol.dataflow.v1.ConsumerRecord;
import dev.ratchet.protocol.feeds.v1.FeedRecord;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.Table;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** The records of feeds, each with its position among the consumers of the circuit. Immutable. */
final class FeedStore {

    private final Database database;
    private final DataflowStore circuit;
    private final Table<FeedRecord> feeds;

    /**
     * A feed.
     *
     * @param position all steps up to its step are delivered, and so many changes of the next one that has some
     */
    record Feed(String name, FeedRecord record, ConsumerRecord position) {
        boolean isActive() {
            return position.getStop().isEmpty();
        }
    }

    FeedStore(Database database, Keyspace keyspace) {
        this.database = database;
        this.circuit = new DataflowStore(database, keyspace);
        this.feeds = FeedTables.FEED.in(keyspace);
    }

    Database database() {
        return database;
    }

    DataflowStore circuit() {
        return circuit;
    }

    CompletableFuture<Optional<Feed>> read(ReadTransaction transaction, String name) {
        CompletableFuture<byte[]> record = transaction.get(feeds.key(name));
        return DataflowStore.read(transaction, circuit.consumers(), ConsumerRecord.getDefaultInstance(), name)
                .thenCombine(record, (position, found) -> Optional.ofNullable(feeds.decodeOrNull(found))
                        .map(feed -> new Feed(name, feed, position)));
    }

    /** All feeds, by name. */
    CompletableFuture<Map<String, Feed>> all(ReadTransaction transaction) {
        CompletableFuture<Map<String, FeedRecord>> records = DataflowStore.byName(transaction, feeds);
        return DataflowStore.byName(transaction, circuit.consumers()).thenCombine(records, (positions, found) -> {
            Map<String, Feed> all = new TreeMap<>();
            found.forEach((name, record) ->
                    all.put(name, new Feed(name, record, Objects.requireNonNull(positions.get(name)))));
            return all;
        });
    }

    void write(Transaction transaction, Feed feed) {
        DataflowStore.write(transaction, feeds, feed.record(), feed.name());
        DataflowStore.write(transaction, circuit.consumers(), feed.position(), feed.name());
    }

    void clear(Transaction transaction, String name) {
        feeds.clear(transaction, name);
        circuit.consumers().clear(transaction, name);
    }

    void move(Transaction transaction, Feed feed, ConsumerRecord position, int submitted) {
        DataflowStore.write(transaction, circuit.consumers(), position, feed.name());
        if (submitted > 0) {
            FeedRecord counted = feed.record().toBuilder()
                    .setSubmitted(feed.record().getSubmitted() + submitted)
                    .build();
            DataflowStore.write(transaction, feeds, counted, feed.name());
        }
    }

    /** Has a feed deliver no more; the circuit does not wait for it any more. */
    void stop(Transaction transaction, Feed feed, String reason) {
        DataflowStore.write(
                transaction,
                circuit.consumers(),
                feed.position().toBuilder().setStop(reason).build(),
                feed.name());
    }
}
