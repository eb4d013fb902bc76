/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.KeyValue;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The part of the system space in which FoundationDB keeps which server has which keys, and in which fdb-java's
 * {@code LocalityUtil.getBoundaryKeys} finds where to cut a large scan: here one piece, from the first key to the end.
 */
final class KeyServers {

    private static final byte[] BEGIN = key("/keyServers/");
    private static final byte[] END = key("/keyServers0");
    private static final List<KeyValue> ROWS =
            List.of(new KeyValue(BEGIN, new byte[0]), new KeyValue(key("/keyServers/\u00ff"), new byte[0]));

    private KeyServers() {}

    private static byte[] key(String name) {
        return ("\u00ff" + name).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Whether a range lies in it. */
    static boolean hold(ReadBound begin, ReadBound end) {
        return begin.isResolved()
                && end.isResolved()
                && Keys.compare(begin.key(), BEGIN) >= 0
                && Keys.compare(end.key(), END) <= 0;
    }

    /** The rows of a range that lies in it. */
    static MergedRows rows(ReadBound begin, ReadBound end, int rowLimit, long byteLimit, boolean reverse) {
        return SpecialKeys.limited(ROWS, begin, end, rowLimit, byteLimit, reverse);
    }
}
