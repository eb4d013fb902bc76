/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.client.SerializableCallable;
import java.nio.file.Files;
import java.nio.file.Path;

/** Computes without a pause until a file is there, for a minute at most; has another file tell that it has begun. */
record Computes(String begun, String end) implements SerializableCallable<Boolean> {

    private static final long LIMIT_NANOS = 60_000_000_000L;

    @Override
    public Boolean call() throws Exception {
        Files.createFile(Path.of(begun));
        long began = System.nanoTime();
        boolean ended = false;
        while (!ended && System.nanoTime() - began < LIMIT_NANOS) {
            ended = Files.exists(Path.of(end));
        }
        return ended;
    }
}
