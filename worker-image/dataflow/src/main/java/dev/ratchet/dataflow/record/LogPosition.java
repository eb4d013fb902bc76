/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.record;

import com.apple.foundationdb.tuple.Versionstamp;
import com.google.protobuf.ByteString;
import java.util.HexFormat;

/** Positions in the input log: the versionstamps of the commits, which only grow. */
public final class LogPosition {

    private static final HexFormat HEX = HexFormat.of();

    /** Before all records. */
    public static final Versionstamp START = Versionstamp.fromBytes(new byte[Versionstamp.LENGTH]);

    private LogPosition() {}

    /** As text, which compares as positions do. */
    public static String shown(Versionstamp position) {
        return HEX.formatHex(position.getBytes());
    }

    public static ByteString encoded(Versionstamp position) {
        return ByteString.copyFrom(position.getBytes());
    }

    /** The position in a record; the start where it has none. */
    public static Versionstamp decoded(ByteString bytes) {
        return bytes.isEmpty() ? START : Versionstamp.fromBytes(bytes.toByteArray());
    }
}
