/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.nesting;

import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.TaskStore;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.record.Effects;
import dev.ratchet.futures.record.Effects.Entry;
import dev.ratchet.futures.record.FutureStore;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The store as one attempt sees it: reads are noted, writes wait for the result. */
public final class StagedStore implements TaskStore {

    private final FutureStore store;
    private final String tenant;
    private final Map<ByteBuffer, Entry> reads = new LinkedHashMap<>();
    private final Map<ByteBuffer, Entry> writes = new LinkedHashMap<>();
    private long bytes;

    StagedStore(FutureStore store, String tenant) {
        this.store = store;
        this.tenant = tenant;
    }

    @Override
    public synchronized Optional<byte[]> get(byte[] key) {
        ByteBuffer name = ByteBuffer.wrap(key.clone());
        Entry known = writes.getOrDefault(name, reads.get(name));
        if (known == null) {
            byte[] whole = whole(key);
            byte[] value = GatewayConnection.await(store.read(transaction -> transaction.get(whole)));
            known = new Entry(whole, value);
            note(key, value);
            reads.put(name, known);
        }
        return Optional.ofNullable(known.value()).map(byte[]::clone);
    }

    @Override
    public synchronized void set(byte[] key, byte[] value) {
        note(key, value);
        writes.put(ByteBuffer.wrap(key.clone()), new Entry(whole(key), value.clone()));
    }

    @Override
    public synchronized void clear(byte[] key) {
        note(key, null);
        writes.put(ByteBuffer.wrap(key.clone()), new Entry(whole(key), null));
    }

    /** What is to be stored with the result. */
    public synchronized Effects effects() {
        return reads.isEmpty() && writes.isEmpty()
                ? Effects.NONE
                : new Effects(List.copyOf(reads.values()), List.copyOf(writes.values()));
    }

    private byte[] whole(byte[] key) {
        return store.keys().user.key(tenant, key);
    }

    private void note(byte[] key, byte @Nullable [] value) {
        int length = value == null ? 0 : value.length;
        if (key.length > KEY_BYTES_MAX || length > VALUE_BYTES_MAX) {
            throw new InvalidInputException("A key of a task has at most " + KEY_BYTES_MAX + " bytes and a value "
                    + VALUE_BYTES_MAX + ", not " + key.length + " and " + length + ".");
        }
        bytes += key.length + length;
        if (bytes > BYTES_MAX || reads.size() + writes.size() >= KEYS_MAX) {
            throw new InvalidInputException("An attempt at a task reads and writes at most " + KEYS_MAX + " keys and "
                    + BYTES_MAX + " bytes. Split the task.");
        }
    }
}
