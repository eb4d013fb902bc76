/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How traces write bytes: hex, {@code (61*5000)} for a run, <code>{S1}</code> for what a label stands for in this run.
 * Labels are bound as the run goes: versionstamps {@code S}, read versions {@code R}, commit versions {@code V}.
 */
final class TraceText {

    private static final Pattern PART = Pattern.compile("\\{(\\w+)}|\\((\\w\\w)\\*(\\d+)\\)|(\\w\\w)");

    private final Map<String, byte[]> labels = new HashMap<>();

    /** The trace names a label that no operation of this run has bound. */
    static final class UnboundLabelException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnboundLabelException(String label) {
            super("label " + label + " is not bound");
        }
    }

    void bind(String label, byte[] bytes) {
        labels.put(label, bytes.clone());
    }

    void bind(String label, long version) {
        labels.put(label, ByteBuffer.allocate(Long.BYTES).putLong(version).array());
    }

    long version(String label) {
        return ByteBuffer.wrap(labelled(label)).getLong();
    }

    private byte[] labelled(String label) {
        byte[] bytes = labels.get(label);
        if (bytes == null) {
            throw new UnboundLabelException(label);
        }
        return bytes;
    }

    byte[] decode(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Matcher part = PART.matcher(text);
        int end = 0;
        while (part.find() && part.start() == end) {
            end = part.end();
            if (part.group(1) != null) {
                bytes.writeBytes(labelled(part.group(1)));
            } else if (part.group(2) != null) {
                byte[] run = new byte[Integer.parseInt(part.group(3))];
                Arrays.fill(run, (byte) HexFormat.fromHexDigits(part.group(2)));
                bytes.writeBytes(run);
            } else {
                bytes.write(HexFormat.fromHexDigits(part.group(4)));
            }
        }
        if (end != text.length()) {
            throw new IllegalArgumentException("not bytes of a trace: " + text);
        }
        return bytes.toByteArray();
    }

    /** Plain hex, in which recorded and answered bytes are compared. */
    static @Nullable String hex(byte @Nullable [] bytes) {
        return bytes == null ? null : HexFormat.of().formatHex(bytes);
    }
}
