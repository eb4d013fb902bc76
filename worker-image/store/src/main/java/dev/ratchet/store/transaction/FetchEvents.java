/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.EventKeeper;
import com.apple.foundationdb.EventKeeper.Events;
import com.apple.foundationdb.KeyValue;
import dev.ratchet.environment.Environment;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Tells the keeper of events that a user gave to a transaction what its reads fetch, in fdb-java's terms. Native calls
 * and buffers are never told of: there are none. As safe for use by several threads as the keeper is.
 */
final class FetchEvents {

    private final EventKeeper keeper;
    private final Environment environment;

    FetchEvents(EventKeeper keeper, Environment environment) {
        this.keeper = keeper;
        this.environment = environment;
    }

    /** Counts a value when it is there. */
    CompletableFuture<byte @Nullable []> value(CompletableFuture<byte @Nullable []> read) {
        return read.thenApply(value -> {
            if (value != null) {
                keeper.count(Events.BYTES_FETCHED, value.length);
            }
            return value;
        });
    }

    /** Counts one fetch of rows, and when it is done how long it took or that it failed. */
    void fetch(CompletableFuture<MergedRows> fetched, long begunNanos) {
        keeper.increment(Events.RANGE_QUERY_FETCHES);
        fetched.whenComplete((rows, error) -> {
            keeper.timeNanos(Events.RANGE_QUERY_FETCH_TIME_NANOS, now() - begunNanos);
            if (error != null) {
                keeper.increment(Events.RANGE_QUERY_CHUNK_FAILED);
            }
        });
    }

    /** Counts a row that an iterator has handed out. */
    void row(KeyValue row) {
        keeper.increment(Events.RANGE_QUERY_RECORDS_FETCHED);
        keeper.count(Events.BYTES_FETCHED, row.getKey().length + row.getValue().length);
    }

    long now() {
        return environment.nanoTime();
    }
}
