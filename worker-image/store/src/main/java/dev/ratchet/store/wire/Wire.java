/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.wire;

import com.apple.foundationdb.KeySelector;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.protocol.store.v1.Selector;
import dev.ratchet.store.transaction.KeyRange;

/**
 * Parts that several messages have. Arrays are shared, not copied, on the way out: nobody changes a key or a value that
 * was given to a connection.
 */
final class Wire {

    private Wire() {}

    static ByteString bytes(byte[] array) {
        return UnsafeByteOperations.unsafeWrap(array);
    }

    static Selector selector(KeySelector selector) {
        return Selector.newBuilder()
                .setKey(bytes(selector.getKey()))
                .setOrEqual(selector.orEqual())
                .setOffset(selector.getOffset())
                .build();
    }

    static KeySelector selector(Selector selector) {
        return new KeySelector(selector.getKey().toByteArray(), selector.getOrEqual(), selector.getOffset());
    }

    static dev.ratchet.protocol.store.v1.KeyRange range(KeyRange range) {
        dev.ratchet.protocol.store.v1.KeyRange.Builder message =
                dev.ratchet.protocol.store.v1.KeyRange.newBuilder().setBegin(bytes(range.begin()));
        if (!range.isOneKey()) {
            message.setEnd(bytes(range.end()));
        }
        return message.build();
    }

    static KeyRange range(dev.ratchet.protocol.store.v1.KeyRange message) {
        byte[] begin = message.getBegin().toByteArray();
        return message.hasEnd() ? new KeyRange(begin, message.getEnd().toByteArray()) : KeyRange.ofKey(begin);
    }
}
