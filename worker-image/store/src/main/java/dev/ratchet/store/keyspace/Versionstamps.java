/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Operands of SET_VERSIONSTAMPED_KEY and _VALUE. The tuple layer's own {@code packWithVersionstamp} loads
 * FoundationDB's native library, which the embedded engine must do without; these bytes are the same.
 */
public final class Versionstamps {

    private static final byte[] PLACEHOLDER = new byte[10];

    static {
        Arrays.fill(PLACEHOLDER, (byte) 0xff);
    }

    private Versionstamps() {}

    /**
     * {@code prefix}, then the elements {@code before}, the commit's stamp with {@code userVersion}, and {@code after},
     * followed by the position of the stamp.
     *
     * @param userVersion 0 to 65535; orders several stamps of one commit
     */
    public static byte[] operand(byte[] prefix, Tuple before, int userVersion, Tuple after) {
        byte[] body = before.add(Versionstamp.complete(PLACEHOLDER, userVersion))
                .addAll(after)
                .pack(prefix);
        int position = prefix.length + before.pack().length + 1;
        return ByteBuffer.allocate(body.length + Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(body)
                .putInt(position)
                .array();
    }
}
