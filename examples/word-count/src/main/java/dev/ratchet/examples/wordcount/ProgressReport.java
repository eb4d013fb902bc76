/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.wordcount;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** What is done, told whenever another twentieth is; stops at the pauses that were asked for. Used by one thread. */
final class ProgressReport {

    private static final int STEPS = 20;

    private final long total;
    private final Deque<Integer> pausesPercent;
    private final PrintStream out;
    private final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    /** Bytes of the pieces that are on their way, in their order. */
    private final Deque<Integer> onTheirWay = new ArrayDeque<>();

    private long submitted;
    private long done;
    private long told;

    ProgressReport(long total, List<Integer> pausesPercent, PrintStream out) {
        this.total = Math.max(1, total);
        this.pausesPercent = new ArrayDeque<>(pausesPercent);
        this.out = out;
    }

    /** Waits for a line of input where a pause is due. */
    void pauseIfDue() throws IOException {
        while (isPauseDue()) {
            out.printf("paused at %d %%%n", pausesPercent.remove());
            out.flush();
            if (input.readLine() == null) {
                pausesPercent.clear();
            }
        }
    }

    private boolean isPauseDue() {
        return !pausesPercent.isEmpty() && submitted * 100 >= pausesPercent.peek() * total;
    }

    /** The pieces that are submitted before the next pause. */
    Stream<String> untilPause(Iterator<String> pieces) {
        return Stream.generate(() -> isPauseDue() || !pieces.hasNext() ? "" : pieces.next())
                .takeWhile(piece -> !piece.isEmpty())
                .peek(this::submitting);
    }

    private void submitting(String piece) {
        onTheirWay.add(piece.length());
        submitted += piece.length();
    }

    /** Of the pieces the first one that was not is done. */
    void done() {
        done += onTheirWay.remove();
        long step = Math.min(done, total) * STEPS / total;
        if (step > told) {
            told = step;
            out.printf("%3d %%  %,d of %,d bytes counted%n", step * 100 / STEPS, done, total);
            out.flush();
        }
    }
}
