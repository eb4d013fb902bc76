/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A block goes as one, and what has left it as if it had never been in one. */
class BlockCollectionTest extends CollectionFixture {

    private static final Set<String> WRITES = Set.of("set", "clear", "mutate");

    private final AtomicInteger transactions = new AtomicInteger();
    private final AtomicInteger writes = new AtomicInteger();

    @Test
    void blocksPastTheirRetentionCostAFewWritesEach() {
        int blocks = 64;
        for (int block = 0; block < blocks; block++) {
            submitBlock(250, RETENTION_MILLIS, ByteString.EMPTY);
        }
        finishAll();
        environment.pass(2 * RETENTION_MILLIS);
        store = new FutureStore(counting(database), keys, environment);

        collectAll();

        assertThat(left()).isEmpty();
        assertThat(writes.get()).isLessThanOrEqualTo(12 * blocks);
        assertThat(transactions.get()).isLessThanOrEqualTo(3 * 16);
    }

    @Test
    void eachStepOfABlockIsCountedForEachOfItsFutures() {
        List<FutureId> ids = submitBlock(250, RETENTION_MILLIS, ByteString.EMPTY);
        finishAll();
        delete(ids.get(0));
        environment.pass(2 * RETENTION_MILLIS);
        collectAll();

        assertThat(left()).isEmpty();
        assertThat(Stream.of(Event.SUBMIT, Event.CLAIM, Event.REALIZE, Event.DELETE))
                .allSatisfy(
                        event -> assertThat(store.transitions().count(event)).isEqualTo(250));
    }

    @Test
    void whatLeavesABlockThatIsDoneIsKeptForAsLong() {
        List<FutureId> ids = submitBlock(3, RETENTION_MILLIS, ByteString.EMPTY);
        finishAll();
        holders().bind("default", "best", ids.get(1)).join();
        holders().bind("default", "second best", ids.get(2)).join();
        holders().unbind("default", "second best").join();
        assertThat(check().violations()).isEmpty();

        collectAll();
        assertThat(ids).allMatch(id -> record(id).isPresent());
        environment.pass(2 * RETENTION_MILLIS);
        collectAll();

        assertThat(ids).filteredOn(id -> record(id).isPresent()).containsExactly(ids.get(1));
        holders().unbind("default", "best").join();
        collectAll();
        assertThat(left()).isEmpty();
    }

    @Test
    void aBlockIsKeptForWhatWasComputedFromIt() {
        List<FutureId> ids = submitBlock(3, RETENTION_MILLIS, ByteString.EMPTY);
        finishAll();
        FutureId user = submit(List.of(ids.get(1)), 0);
        FutureId userOfOneThatLeft = submit(List.of(ids.get(2)), 0);
        finishAll();
        delete(ids.get(2));
        environment.pass(2 * RETENTION_MILLIS);

        collectAll();
        assertThat(record(ids.get(0))).isPresent();
        delete(user);
        collectAll();
        assertThat(check().violations()).isEmpty();
        delete(userOfOneThatLeft);
        collectAll();

        assertThat(left()).isEmpty();
    }

    @Test
    void whatAClientHoldsOfABlockIsKeptUntilItLetsGoOfItOrEnds() {
        ByteString client = connect();
        List<FutureId> ids = submitBlock(3, RETENTION_MILLIS, client);
        finishAll();
        letGo(client, ids.get(2));
        environment.pass(2 * RETENTION_MILLIS);
        collectAll();
        assertThat(ids).filteredOn(id -> record(id).isPresent()).containsExactly(ids.get(0), ids.get(1));

        letGo(client, ids.get(0));
        collectAll();
        assertThat(ids).filteredOn(id -> record(id).isPresent()).containsExactly(ids.get(1));
        assertThat(check().violations()).isEmpty();

        end(client);
        collectAll();
        assertThat(left()).isEmpty();
    }

    @Test
    void aBlockThatAClientLetsGoOfAltogetherStaysOne() {
        ByteString client = connect();
        List<FutureId> ids = submitBlock(250, RETENTION_MILLIS, client);
        List<FutureId> others = submitBlock(250, RETENTION_MILLIS, client);
        finishAll();
        environment.pass(2 * RETENTION_MILLIS);
        collectAll();

        assertThat(holders()
                        .hold(
                                client,
                                Stream.concat(ids.stream(), others.stream().skip(1))
                                        .toList(),
                                true)
                        .join())
                .hasSize(499);

        assertThat(record(BlockIds.blockOf(ids.get(0))).map(BlockFutures::count))
                .contains(250);
        assertThat(record(BlockIds.blockOf(others.get(0))).map(BlockFutures::count))
                .contains(1);
        collectAll();
        assertThat(Stream.concat(ids.stream(), others.stream())
                        .filter(id -> record(id).isPresent()))
                .containsExactly(others.get(0));
        end(client);
        collectAll();
        assertThat(left()).isEmpty();
    }

    @Test
    void whatABlocksFuturesHaveSubmittedIsForgottenWithThem() {
        List<FutureId> ids = submitBlock(3, RETENTION_MILLIS, ByteString.EMPTY);
        for (FutureId parent : ids) {
            submit(List.of(), 0, SubmittedFuture.newBuilder().setParent(Ids.bytes(parent)));
        }
        finishAll();
        holders().bind("default", "best", ids.get(1)).join();
        environment.pass(2 * RETENTION_MILLIS);

        collectAll();

        assertThat(left())
                .filteredOn(path -> path.startsWith("futures/child"))
                .singleElement()
                .asString()
                .contains(ids.get(1).toString());
    }

    private void finishAll() {
        while (finish(false) > 0) {
            // until nothing waits
        }
    }

    private Database counting(Database real) {
        return ProxiedDatabase.running(
                real,
                handler -> real.runAsync(transaction -> {
                    transactions.incrementAndGet();
                    return handler.apply(ProxiedDatabase.telling(
                            Transaction.class,
                            transaction,
                            method -> writes.addAndGet(WRITES.contains(method) ? 1 : 0)));
                }));
    }
}
