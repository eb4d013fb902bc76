/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

/**
 * Names of what a worker says in its heartbeat, beside what it has left, that an upgrade is judged by. A worker of an
 * older release says nothing of it.
 */
public final class Trial {

    /** 1 once the worker has executed its canary, 0 before. */
    public static final String CANARY = "upgrade.canary";

    /** Attempts that ended in the last minute. */
    public static final String ENDED = "upgrade.ended";

    /** Those of them that failed through the program that was run. */
    public static final String FAILED = "upgrade.failed";

    /** Those of them that failed through the system. */
    public static final String BROKEN = "upgrade.broken";

    private Trial() {}
}
