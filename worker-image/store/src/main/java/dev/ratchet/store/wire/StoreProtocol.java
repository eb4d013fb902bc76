/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.wire;

import dev.ratchet.protocol.store.v1.Open;
import dev.ratchet.protocol.store.v1.Opened;
import java.util.OptionalInt;

/** Version, limits and times of the store protocol; both sides have the same. */
public final class StoreProtocol {

    /** The version this release speaks; it also speaks the one before, once there is one. */
    public static final int VERSION = 1;

    public static final int OLDEST_VERSION = 1;

    /** Bytes of messages after which a frame is full; with one more message it stays under 2 MB. */
    public static final int FRAME_BYTES = 256 << 10;
    /** A message larger than this travels in pieces of this size. */
    public static final int PIECE_BYTES = 1 << 20;
    /** Largest message put together from pieces: FoundationDB's largest transaction with what surrounds it. */
    public static final int PIECED_MESSAGE_BYTES = 16 << 20;
    /** Most bytes of rows in one answer; a read that wants more asks again. */
    public static final int ROWS_BYTES = 256 << 10;

    /** Who has sent nothing for so long sends an empty frame. */
    public static final long IDLE_MILLIS = 1_000;
    /** A client gives up a connection on which nothing has come for so long. */
    public static final long SERVER_SILENCE_MILLIS = 4_000;
    /** A server gives up a session in which nothing has come for so long. */
    public static final long CLIENT_SILENCE_MILLIS = 10_000;
    /** How long a new session may take until {@code opened}. */
    public static final long OPEN_MILLIS = 5_000;

    private StoreProtocol() {}

    /** The newest version that both sides speak, nothing if there is none. */
    public static OptionalInt common(Open open) {
        int version = Math.min(VERSION, open.getProtocol());
        return version >= Math.max(OLDEST_VERSION, open.getOldestProtocol())
                ? OptionalInt.of(version)
                : OptionalInt.empty();
    }

    /** Whether this release speaks {@code version}. */
    public static boolean speaks(int version) {
        return version >= OLDEST_VERSION && version <= VERSION;
    }

    /** What a client says of a store that answers in a version which was not offered. */
    public static String refusal(Opened opened) {
        return "The store speaks store protocol " + opened.getProtocol() + " (release " + opened.getRelease()
                + "), this client " + OLDEST_VERSION + " to " + VERSION + ": upgrade the older of the two";
    }

    /** What a refused client is told. */
    public static String refusal(Open open) {
        return "The client speaks store protocol " + open.getOldestProtocol() + " to " + open.getProtocol()
                + " (release " + open.getRelease() + "), this store " + OLDEST_VERSION + " to " + VERSION
                + ": upgrade the older of the two";
    }
}
