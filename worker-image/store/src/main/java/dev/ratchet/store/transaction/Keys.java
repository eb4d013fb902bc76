/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The bounds of the key space, and the key that comes right after another. */
@SuppressWarnings("MutablePublicArray") // keys are byte arrays everywhere, and nobody changes one
public final class Keys {
    /** The first key. */
    public static final byte[] FIRST = {};
    /** Where user keys end. */
    public static final byte[] USER_END = {(byte) 0xff};
    /** Where system keys end and special ones begin. */
    public static final byte[] SYSTEM_END = {(byte) 0xff, (byte) 0xff};
    /** Set while the database is locked. */
    public static final byte[] DATABASE_LOCKED = system("/dbLocked");
    /** Readable by everyone, written only by a versionstamp. */
    public static final byte[] METADATA_VERSION = system("/metadataVersion");

    private Keys() {}

    /** The key right after {@code key}. */
    public static byte[] after(byte[] key) {
        return Arrays.copyOf(key, key.length + 1);
    }

    /** Order of keys: as unsigned bytes. */
    public static int compare(byte[] left, byte[] right) {
        return Arrays.compareUnsigned(left, right);
    }

    /** Whether the key is in the system space or beyond. */
    public static boolean isSystem(byte[] key) {
        return key.length > 0 && key[0] == (byte) 0xff;
    }

    /** Whether the key begins with {@code prefix}. */
    public static boolean startsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    private static byte[] system(String name) {
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        byte[] key = new byte[text.length + 1];
        key[0] = (byte) 0xff;
        System.arraycopy(text, 0, key, 1, text.length);
        return key;
    }
}
