/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

/** The lines about one cluster, each group for itself. */
enum Row {
    CALLS,
    PROGRAMS,
    COMMIT,
    UNMARKED,
    SPECULATIVE,
    GRAPHS,
    ACTORS,
    DEPTH,
    CLAIMS,
    MANY,
    VALUES,
    KILL,
    IDLE;

    /** Adds its lines to the report. */
    void measure(Subject subject) throws Exception {
        switch (this) {
            case CALLS -> CallLines.calls(subject);
            case PROGRAMS -> CallLines.programs(subject);
            case COMMIT -> CallLines.commit(subject);
            case UNMARKED -> CallLines.unmarked(subject);
            case SPECULATIVE -> CallLines.speculative(subject);
            case GRAPHS -> CallLines.graphs(subject);
            case ACTORS -> CallLines.actors(subject);
            case DEPTH -> QueueLines.depth(subject);
            case CLAIMS -> QueueLines.claims(subject);
            case MANY -> RecordLines.many(subject);
            case VALUES -> ValueLines.values(subject);
            case KILL -> FailureLines.kill(subject);
            case IDLE -> IdleLines.idle(subject);
        }
    }
}
