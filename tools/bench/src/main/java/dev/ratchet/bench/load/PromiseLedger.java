/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import dev.ratchet.bench.load.Promise.Kind;
import dev.ratchet.client.FutureId;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Every promise that a client has told, and every complaint. Safe for use by several threads. */
final class PromiseLedger {

    private static final int COMPLAINTS_SHOWN = 50;

    private final Map<FutureId, Promise> promises = new ConcurrentHashMap<>();
    private final AtomicInteger complaints = new AtomicInteger();

    /** Takes what a client says until it says no more. What it says is complete but for the last line. */
    void follow(String client, BufferedReader output) {
        try {
            String line;
            while ((line = output.readLine()) != null) {
                if (line.endsWith(" ;")) {
                    note(client, line.substring(0, line.length() - 2));
                }
            }
        } catch (IOException killed) {
            // It says no more.
        }
    }

    private void note(String client, String line) {
        String[] words = line.split(" ", -1);
        String[] rest = Arrays.copyOfRange(words, 1, words.length);
        switch (words[0]) {
            case "promised" -> {
                Promise promise = Promise.parse(rest);
                // Whether it was cancelled may be told first, and counts for more.
                promises.merge(promise.id(), promise, (before, now) -> before);
            }
            case "withdrawn" -> promises.remove(FutureId.parse(rest[0]));
            case "cancelled" -> settle(rest[0], Kind.CANCELLATION);
            case "late" -> settle(rest[0], Kind.VALUE);
            default -> complain(client + ": " + line);
        }
    }

    private void settle(String id, Kind kind) {
        promises.computeIfPresent(FutureId.parse(id), (same, promise) -> promise.as(kind));
    }

    /** Counts a complaint, and prints it at once while they are few: whoever waits sees why. */
    void complain(String what) {
        if (complaints.incrementAndGet() <= COMPLAINTS_SHOWN) {
            System.out.println("load: " + what);
        }
    }

    int complaints() {
        return complaints.get();
    }

    List<Promise> promises() {
        return List.copyOf(promises.values());
    }

    int size() {
        return promises.size();
    }
}
