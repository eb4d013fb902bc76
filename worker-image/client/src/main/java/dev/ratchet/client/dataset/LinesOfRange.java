/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client.dataset;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads the lines that begin in a range of the bytes of a file, the last of which may end beyond it. */
final class LinesOfRange {

    private LinesOfRange() {}

    /** As UTF-8, without their ends: a newline, or a carriage return and a newline. */
    static void read(TextFiles.Range range, List<String> lines) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(Path.of(range.file())), 1 << 16)) {
            long position = range.start();
            if (position > 0) {
                in.skipNBytes(position - 1);
                position += line(in, new ByteArrayOutputStream()) - 1;
            }
            while (position < range.end()) {
                ByteArrayOutputStream line = new ByteArrayOutputStream();
                int length = line(in, line);
                if (length == 0) {
                    return;
                }
                position += length;
                String text = line.toString(StandardCharsets.UTF_8);
                lines.add(text.endsWith("\r") ? text.substring(0, text.length() - 1) : text);
            }
        }
    }

    /** Reads a line; returns its bytes with its end, 0 at the end of the file. */
    private static int line(InputStream in, ByteArrayOutputStream line) throws IOException {
        int length = 0;
        for (int value = in.read(); value >= 0; value = in.read()) {
            length++;
            if (value == '\n') {
                break;
            }
            line.write(value);
        }
        return length;
    }
}
