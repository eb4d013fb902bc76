/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads the changes of a view as they come, on a thread of its own. */
final class ViewChangeReader implements AutoCloseable {

    private static final String COMPLETE = "\"complete\":true}";

    private final InputStream stream;
    private final Thread reader;

    /** What is waited for: a text within a row, then the end of its step. */
    private record Wanted(String text, CompletableFuture<Long> seen) {}

    private volatile @Nullable Wanted wanted;

    ViewChangeReader(InputStream stream) {
        this.stream = stream;
        reader = Thread.ofPlatform().daemon().name("view-follower").start(this::read);
    }

    /** When a row with such a text has come and its step is complete, as {@link System#nanoTime}. One at a time. */
    CompletableFuture<Long> await(String text) {
        CompletableFuture<Long> seen = new CompletableFuture<>();
        wanted = new Wanted(text, seen);
        return seen;
    }

    private void read() {
        boolean isThere = false;
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8), 1 << 16)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Wanted now = wanted;
                if (line.endsWith(COMPLETE)) {
                    if (isThere && now != null) {
                        isThere = false;
                        wanted = null;
                        now.seen().complete(System.nanoTime());
                    }
                } else if (!line.isEmpty()) {
                    isThere |= now != null && line.contains(now.text());
                }
            }
            failed(new IOException("The stream of the view has ended"));
        } catch (IOException broken) {
            failed(broken);
        }
    }

    private void failed(IOException reason) {
        Wanted now = wanted;
        if (now != null) {
            now.seen().completeExceptionally(reason);
        }
    }

    @Override
    public void close() throws IOException {
        stream.close();
        reader.interrupt();
    }
}
