/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import org.jspecify.annotations.Nullable;

/** The lines about one cluster, each group for itself. */
enum Row {
    CALLS,
    PROGRAMS,
    COMMIT,
    UNMARKED,
    SPECULATIVE,
    GRAPHS,
    WIDE,
    ACTORS,
    DEPTH,
    CLAIMS,
    PAUSES,
    JOIN,
    TRANSACTIONAL,
    TENANTS,
    MEMORY,
    MANY,
    VALUES,
    KILL,
    CLIENT,
    RESTART,
    IDLE,
    CRASH,
    LINEAGE,
    REPARTITION,
    SESSIONS,
    /** Leaves very much in the queue: nothing comes behind it. */
    BACKLOG;

    /** The cluster of its own that it is measured on; null: that which others share. */
    @Nullable
    Shape shape(Extent extent) {
        return switch (this) {
            case CRASH -> CrashLines.SHAPE;
            case LINEAGE -> LineageLines.SHAPE;
            case REPARTITION -> RepartitionLines.shape(extent);
            case SESSIONS -> SessionLines.SHAPE;
            default -> null;
        };
    }

    /** Adds its lines to the report. */
    void measure(Subject subject) throws Exception {
        switch (this) {
            case CALLS -> CallLines.calls(subject);
            case PROGRAMS -> CallLines.programs(subject);
            case COMMIT -> CallLines.commit(subject);
            case UNMARKED -> CallLines.unmarked(subject);
            case SPECULATIVE -> CallLines.speculative(subject);
            case GRAPHS -> CallLines.graphs(subject);
            case WIDE -> WideLines.wide(subject);
            case ACTORS -> CallLines.actors(subject);
            case DEPTH -> QueueLines.depth(subject);
            case CLAIMS -> QueueLines.claims(subject);
            case PAUSES -> QueueLines.pauses(subject);
            case JOIN -> JoinLines.join(subject);
            case TRANSACTIONAL -> JoinLines.transactional(subject);
            case TENANTS -> TenantLines.tenants(subject);
            case MEMORY -> RecordLines.memory(subject);
            case MANY -> RecordLines.many(subject);
            case VALUES -> ValueLines.values(subject);
            case KILL -> FailureLines.kill(subject);
            case CLIENT -> ClientLines.client(subject);
            case RESTART -> RestartLines.restart(subject);
            case CRASH -> CrashLines.crash(subject);
            case LINEAGE -> LineageLines.lineage(subject);
            case REPARTITION -> RepartitionLines.repartition(subject);
            case SESSIONS -> SessionLines.sessions(subject);
            case IDLE -> IdleLines.idle(subject);
            case BACKLOG -> BacklogLines.backlog(subject);
        }
    }
}
