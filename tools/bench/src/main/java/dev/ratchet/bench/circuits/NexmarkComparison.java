/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.circuits;

import dev.ratchet.bench.nexmark.NexmarkQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** Ratchet's figures beside those of each other engine for the same query, changes and threads. */
final class NexmarkComparison {

    private final List<NexmarkResult> results = new ArrayList<>();

    void add(NexmarkResult result) {
        results.add(result);
    }

    /** For each engine and kind of run: geometric means and the worst query; and answers that are not the same. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (NexmarkResult ours : results) {
            if (ours.subject() == NexmarkSubject.RATCHET) {
                results.stream()
                        .filter(other ->
                                isSameRun(ours, other) && other.reason().isEmpty() && other.rows() != ours.rows())
                        .forEach(other -> lines.add(String.format(
                                Locale.ROOT,
                                "%s has %,d rows in %s, ratchet %,d",
                                other.query(),
                                other.rows(),
                                other.subject().title(),
                                ours.rows())));
            }
        }
        for (NexmarkSubject subject : NexmarkSubject.values()) {
            for (int retractions : results.stream()
                    .mapToInt(NexmarkResult::retractions)
                    .distinct()
                    .toArray()) {
                for (int threads : results.stream()
                        .mapToInt(NexmarkResult::threads)
                        .distinct()
                        .toArray()) {
                    List<NexmarkResult> others = results.stream()
                            .filter(result -> result.subject() == subject
                                    && result.retractions() == retractions
                                    && result.threads() == threads
                                    && result.reason().isEmpty()
                                    && ours(result).isPresent())
                            .toList();
                    if (subject != NexmarkSubject.RATCHET && subject.isIncremental() && !others.isEmpty()) {
                        String run = String.format(
                                Locale.ROOT,
                                "against %s, %d threads, %d %% back",
                                subject.title(),
                                threads,
                                retractions);
                        lines.add(line(run + ", events/s", others, NexmarkResult::seconds));
                        lines.add(line(run + ", cpu per event", others, NexmarkResult::cpuSeconds));
                    }
                }
            }
        }
        return lines;
    }

    private String line(String title, List<NexmarkResult> others, ToDoubleFunction<NexmarkResult> cost) {
        NexmarkResult worst = others.get(0);
        for (NexmarkResult other : others) {
            worst = ratio(other, cost) < ratio(worst, cost) ? other : worst;
        }
        return String.format(
                Locale.ROOT,
                "%s: stateful %.2f times, all %.2f times (geometric means), worst %s %.2f times",
                title,
                mean(others, cost, result -> NexmarkQuery.named(result.query()).stateful()),
                mean(others, cost, result -> true),
                worst.query(),
                ratio(worst, cost));
    }

    private double mean(
            List<NexmarkResult> others, ToDoubleFunction<NexmarkResult> cost, Predicate<NexmarkResult> wanted) {
        return Math.exp(others.stream()
                .filter(wanted)
                .mapToDouble(other -> Math.log(ratio(other, cost)))
                .average()
                .orElse(Double.NaN));
    }

    private double ratio(NexmarkResult other, ToDoubleFunction<NexmarkResult> cost) {
        return cost.applyAsDouble(other) / cost.applyAsDouble(ours(other).orElseThrow());
    }

    private Optional<NexmarkResult> ours(NexmarkResult other) {
        return results.stream()
                .filter(result -> result.subject() == NexmarkSubject.RATCHET && isSameRun(result, other))
                .findFirst();
    }

    private static boolean isSameRun(NexmarkResult one, NexmarkResult other) {
        return one.query().equals(other.query())
                && one.retractions() == other.retractions()
                && one.threads() == other.threads();
    }
}
