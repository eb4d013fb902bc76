/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.nearest;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Program;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.util.Comparator;
import java.util.List;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Finds the word that is spelled most like another: {@code WORD CANDIDATE...}, one task for each candidate. */
public final class Nearest implements Program {

    /** A candidate and how many letters it is away from the word. */
    record Distance(String candidate, int letters) implements java.io.Serializable {}

    @Override
    public void run(Ratchet ratchet, List<String> arguments) throws InterruptedException {
        if (arguments.size() < 2) {
            throw new InvalidInputException("Give a word and at least one candidate.");
        }
        String word = arguments.get(0);
        SubmitOptions job = SubmitOptions.ofJob("nearest");
        List<DurableFuture<Distance>> distances = ratchet.map(
                job, arguments.subList(1, arguments.size()), candidate -> distance(word, candidate));
        DurableFuture<Distance> nearest = ratchet.reduce(
                job, distances, all -> all.stream().min(Comparator.comparing(Distance::letters)).orElseThrow());
        System.out.println(nearest.get().candidate() + " is " + nearest.get().letters() + " away from " + word);
    }

    private static Distance distance(String word, String candidate) {
        return new Distance(candidate, LevenshteinDistance.getDefaultInstance().apply(word, candidate));
    }
}
