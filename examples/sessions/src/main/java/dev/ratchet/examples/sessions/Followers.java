/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.sessions;

import dev.ratchet.client.SessionStateLostException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A small model: which word follows another one most often in a text. It stays in the process that has loaded it, where
 * the other tasks of the session find it.
 */
final class Followers {

    private static final Pattern WORD = Pattern.compile("[a-z]+");
    private static final AtomicInteger LOADS = new AtomicInteger();
    private static volatile @Nullable Followers loaded;

    private final Map<String, Map<String, Integer>> counts = new HashMap<>();

    private Followers(String text) {
        String before = "";
        for (MatchResult word :
                WORD.matcher(text.toLowerCase(Locale.ROOT)).results().toList()) {
            counts.computeIfAbsent(before, unused -> new HashMap<>()).merge(word.group(), 1, Integer::sum);
            before = word.group();
        }
    }

    /** Learns a text, in the place of what was loaded before; returns how many words it knows. */
    static int load(String text) {
        Followers model = new Followers(text);
        loaded = model;
        LOADS.incrementAndGet();
        return model.counts.size();
    }

    /** How often a model was loaded in this process. */
    static int loads() {
        return LOADS.get();
    }

    /** What follows a word most often, of several the first by the alphabet; nothing follows an unknown one. */
    static String after(String word) {
        Followers model = loaded;
        if (model == null) {
            throw new SessionStateLostException("the model is not loaded");
        }
        return model.counts.getOrDefault(word, Map.of()).entrySet().stream()
                .max(Map.Entry.<String, Integer>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .map(Map.Entry::getKey)
                .orElse("");
    }
}
