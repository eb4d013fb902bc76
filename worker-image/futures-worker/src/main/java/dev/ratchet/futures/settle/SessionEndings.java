/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.settle;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.futures.session.SessionFence;
import dev.ratchet.futures.session.SessionFutures;
import dev.ratchet.futures.session.SessionKeys;
import dev.ratchet.protocol.futures.v1.Failure;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Cancels the futures of a session that is over, and says in each of them what has become of the session. */
public final class SessionEndings implements SessionFutures {

    private final FutureStore store;
    private final SessionKeys keys;
    private final Cancellation cancellation;

    public SessionEndings(FutureStore store, Cancellation cancellation) {
        this.store = store;
        this.keys = new SessionKeys(store.keys());
        this.cancellation = cancellation;
    }

    @Override
    public CompletableFuture<Void> end(UUID id, SessionRecord session) {
        Failure failure = SessionFence.failure(Optional.of(session), SessionIds.bytes(id));
        return end(id, keys.futures.range(id).begin, failure);
    }

    private CompletableFuture<Void> end(UUID id, byte[] from, Failure failure) {
        Range rest = new Range(from, keys.futures.range(id).end);
        return store.run(futures -> futures.transaction()
                        .getRange(rest, Cancellation.BATCH_MAX, false, StreamingMode.WANT_ALL)
                        .asList()
                        .thenCompose(found -> endPage(futures, found, failure).thenApply(unused -> found)))
                .thenCompose(found -> found.size() < Cancellation.BATCH_MAX
                        ? CompletableFuture.completedFuture(null)
                        : end(id, ByteArrayUtil.keyAfter(found.getLast().getKey()), failure));
    }

    private CompletableFuture<Void> endPage(FutureTransaction futures, List<KeyValue> found, Failure failure) {
        List<FutureId> ids = found.stream()
                .map(pair -> new FutureId(keys.futures.elements(pair.getKey()).getUUID(1)))
                .toList();
        return futures.loadAll(ids).thenCompose(loaded -> {
            for (LoadedFuture future : loaded) {
                if (Lifecycle.allows(future.state(), Event.CANCEL)) {
                    future.change().setFailure(failure);
                }
            }
            found.forEach(pair -> keys.futures.clearRow(futures.transaction(), pair.getKey()));
            return cancellation.record(futures, ids).thenApply(unused -> null);
        });
    }
}
