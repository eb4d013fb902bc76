/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Reads which sessions have slots on a seat, in as many transactions as it takes: others may end one of them meanwhile,
 * and only the worker on the seat adds one. Immutable.
 */
final class HeldSessions {

    private static final int PAGE = 500;

    private final FutureStore store;
    private final SessionKeys keys;

    HeldSessions(FutureStore store) {
        this.store = store;
        this.keys = new SessionKeys(store.keys());
    }

    /** One read's result; {@code next} is where the next one begins, empty after the last. */
    private record Page(Map<UUID, SessionRecord> found, Optional<byte[]> next) {}

    CompletableFuture<Map<UUID, SessionRecord>> read(String seat) {
        return read(keys.held.range(seat), new LinkedHashMap<>());
    }

    private CompletableFuture<Map<UUID, SessionRecord>> read(Range rest, Map<UUID, SessionRecord> before) {
        return store.read(transaction -> page(transaction, rest)).thenCompose(page -> {
            before.putAll(page.found());
            return page.next()
                    .map(next -> read(new Range(next, rest.end), before))
                    .orElseGet(() -> CompletableFuture.completedFuture(before));
        });
    }

    private CompletableFuture<Page> page(ReadTransaction transaction, Range rest) {
        return transaction
                .getRange(rest, PAGE, false, StreamingMode.WANT_ALL)
                .asList()
                .thenCompose(pairs -> records(
                                transaction,
                                pairs.stream()
                                        .map(pair -> keys.held
                                                .elements(pair.getKey())
                                                .getUUID(1))
                                        .toList())
                        .thenApply(found -> new Page(
                                found,
                                pairs.size() < PAGE
                                        ? Optional.empty()
                                        : Optional.of(ByteArrayUtil.keyAfter(
                                                pairs.getLast().getKey())))));
    }

    /** Those of these sessions that are known; all are read at once. */
    CompletableFuture<Map<UUID, SessionRecord>> records(ReadTransaction transaction, List<UUID> ids) {
        return SessionGrants.together(
                        ids.stream().map(id -> keys.record(transaction, id)).toList())
                .thenApply(records -> {
                    Map<UUID, SessionRecord> found = new LinkedHashMap<>();
                    for (int i = 0; i < ids.size(); i++) {
                        UUID id = ids.get(i);
                        records.get(i).ifPresent(record -> found.put(id, record));
                    }
                    return found;
                });
    }
}
