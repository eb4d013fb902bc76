/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.nexmark;

import dev.ratchet.circuits.nexmark.NexmarkEvent;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Changes in a file that all engines read: for each the bytes that follow (int), the table and whether it goes (byte),
 * the number of the event (long), and its columns: eight bytes for a number or a time, two bytes of length and UTF-8
 * for a text.
 */
public final class ChangeFile {

    static final int GOES = 0x80;

    private ChangeFile() {}

    /** Writes the next so many changes. */
    public static void write(Path file, NexmarkChanges changes, int count) throws IOException {
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16))) {
            for (int i = 0; i < count; i++) {
                NexmarkChanges.Change change = changes.next();
                write(out, change.event(), change.weight());
            }
        }
    }

    private static void write(DataOutputStream out, NexmarkEvent event, int weight) throws IOException {
        int bytes = 1 + Long.BYTES;
        byte[][] texts = new byte[event.values().size()][];
        for (int i = 0; i < texts.length; i++) {
            Object value = event.values().get(i);
            texts[i] = value instanceof String text ? text.getBytes(StandardCharsets.UTF_8) : new byte[0];
            bytes += value instanceof Long ? Long.BYTES : Short.BYTES + texts[i].length;
        }
        out.writeInt(bytes);
        out.writeByte(event.table().code() | (weight < 0 ? GOES : 0));
        out.writeLong(event.number());
        for (int i = 0; i < texts.length; i++) {
            if (event.values().get(i) instanceof Long number) {
                out.writeLong(number);
            } else {
                out.writeShort(texts[i].length);
                out.write(texts[i]);
            }
        }
    }

    /** Reads a whole file. */
    public static byte[] read(Path file) throws IOException {
        return Files.readAllBytes(file);
    }
}
