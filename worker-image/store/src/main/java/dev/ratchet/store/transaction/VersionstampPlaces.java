/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import java.util.Arrays;
import java.util.List;

/**
 * Bytes that hold a place for a versionstamp: the last four say where, little-endian, and are stripped when the ten
 * bytes there are filled in.
 */
public final class VersionstampPlaces {
    /** Bytes of a versionstamp. */
    public static final int STAMP_BYTES = 10;

    private static final int POSITION_BYTES = 4;

    private VersionstampPlaces() {}

    /** Whether there are ten bytes at the place that the last four name. */
    public static boolean isValid(byte[] template) {
        if (template.length < POSITION_BYTES) {
            return false;
        }
        int position = position(template);
        return position >= 0 && (long) position + STAMP_BYTES <= template.length - POSITION_BYTES;
    }

    /** Where the stamp goes. */
    public static int position(byte[] template) {
        int at = template.length - POSITION_BYTES;
        return (template[at] & 0xff)
                | ((template[at + 1] & 0xff) << 8)
                | ((template[at + 2] & 0xff) << 16)
                | ((template[at + 3] & 0xff) << 24);
    }

    /** The bytes with the stamp in its place and without the position. */
    public static byte[] fill(byte[] template, byte[] stamp) {
        byte[] filled = Arrays.copyOf(template, template.length - POSITION_BYTES);
        System.arraycopy(stamp, 0, filled, position(template), STAMP_BYTES);
        return filled;
    }

    /**
     * What {@link Tuple#packWithVersionstamp} gives, without the native library that it asks for the API version: the
     * packed tuple of {@code before}, an incomplete stamp with the user version, and {@code after}, behind a prefix.
     */
    public static byte[] pack(byte[] prefix, List<?> before, int userVersion, List<?> after) {
        byte[] placeholder = new byte[STAMP_BYTES];
        Arrays.fill(placeholder, (byte) 0xff);
        Tuple head = Tuple.fromItems(before);
        byte[] packed = head.add(Versionstamp.complete(placeholder, userVersion))
                .addAll(Tuple.fromItems(after))
                .pack();
        int position = prefix.length + head.pack().length + 1;
        byte[] template = new byte[prefix.length + packed.length + POSITION_BYTES];
        System.arraycopy(prefix, 0, template, 0, prefix.length);
        System.arraycopy(packed, 0, template, prefix.length, packed.length);
        for (int i = 0; i < POSITION_BYTES; i++) {
            template[prefix.length + packed.length + i] = (byte) (position >>> (8 * i));
        }
        return template;
    }
}
