/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.submit;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Small values that this worker has recorded lately, for what takes them as arguments next. Thread-safe. */
final class RecentValues {

    private static final int VALUES_MAX = 10_000;
    private static final long BYTES_MAX = 16L << 20;

    private final Map<ByteString, ByteString> values = new LinkedHashMap<>();
    private long bytes;

    /** Remembers the value of a recorded future, if it is in the record. */
    synchronized void add(FutureId id, FutureRecord record) {
        if (record.getState() != State.STATE_REALIZED || !record.getResult().hasInline()) {
            return;
        }
        ByteString value = record.getResult().getInline();
        ByteString former = values.put(Ids.bytes(id), value);
        bytes += value.size() - (former == null ? 0 : former.size());
        Iterator<ByteString> eldest = values.values().iterator();
        while (values.size() > VALUES_MAX || bytes > BYTES_MAX) {
            bytes -= eldest.next().size();
            eldest.remove();
        }
    }

    synchronized boolean contains(ByteString id) {
        return values.containsKey(id);
    }

    synchronized @Nullable ByteString get(ByteString id) {
        return values.get(id);
    }
}
