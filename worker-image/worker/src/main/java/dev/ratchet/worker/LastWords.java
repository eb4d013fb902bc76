/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a process says as it ends to whoever looks at its pod: Kubernetes puts the file into the state of the container,
 * from where the operator takes it into the conditions of the cluster. The file is there before the process is.
 */
record LastWords(@Nullable Path file) {

    private static final int LONGEST_BYTES = 1_024;

    static LastWords from(Map<String, String> environment) {
        String named = environment.get("RATCHET_TERMINATION_LOG");
        return new LastWords(named == null ? null : Path.of(named));
    }

    /** Whether anybody would read them. */
    boolean areHeard() {
        return file != null && Files.isWritable(file);
    }

    /** Says {@code message}, of which the first 1,024 bytes are heard. */
    void say(String message) {
        if (file == null || !areHeard()) {
            return;
        }
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        try {
            Files.write(
                    file,
                    Arrays.copyOf(bytes, Math.min(bytes.length, LONGEST_BYTES)),
                    StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING);
        } catch (IOException unheard) {
            // The log has the reason too.
        }
    }
}
