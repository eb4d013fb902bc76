/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.circuits;

import dev.ratchet.bench.Measurement;
import java.util.List;

/**
 * What an engine said of a query.
 *
 * @param retractions how many of a hundred changes took a row back
 * @param rows of the answer at the end
 * @param reason why there is no answer, empty where there is one
 */
record NexmarkResult(
        NexmarkSubject subject,
        String query,
        int retractions,
        int threads,
        double seconds,
        double cpuSeconds,
        long rows,
        String reason) {

    /** The fields of a line that {@link dev.ratchet.bench.nexmark.NexmarkRuns} prints. */
    static NexmarkResult of(NexmarkSubject subject, int retractions, int threads, List<String> fields) {
        return new NexmarkResult(
                subject,
                fields.get(0),
                retractions,
                threads,
                Double.parseDouble(fields.get(2)),
                Double.parseDouble(fields.get(3)),
                Long.parseLong(fields.get(4)),
                fields.get(5));
    }

    /**
     * The line of a report, for a run over so many changes. What is asked again as a whole has the time of one answer.
     */
    Measurement measurement(String what, int changes) {
        double answerMicros = subject.isIncremental() ? 0 : seconds * 1e6;
        return new Measurement(
                subject.title(),
                what,
                changes,
                threads,
                subject.isIncremental() ? changes / seconds : 1 / seconds,
                answerMicros,
                answerMicros,
                cpuSeconds * 1e6 / (subject.isIncremental() ? changes : 1),
                0);
    }
}
