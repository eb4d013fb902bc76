/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.status;

/**
 * Why a condition is as it is: a closed set of words that people may match on. Each is explained in docs/operations.md.
 */
public enum Reason {
    ACCEPTED("Accepted"),
    INVALID_SPEC("InvalidSpec"),
    IMMUTABLE_FIELD("ImmutableField"),
    NOT_SUPPORTED("NotSupported"),
    NEWER_VERSION("NewerVersion"),

    ALL_WORKERS_READY("AllWorkersReady"),
    NO_WORKERS_WANTED("NoWorkersWanted"),
    WAITING_FOR_PODS("WaitingForPods"),
    WAITING_FOR_STORE("WaitingForStore"),
    PODS_CAN_NOT_START("PodsCanNotStart"),
    COORDINATOR_UNREACHABLE("CoordinatorUnreachable"),
    SPEC_NOT_ACCEPTED("SpecNotAccepted"),
    PAUSED("Paused"),
    DELETING("Deleting"),
    CLEANUP_BLOCKED("CleanupBlocked"),
    RECONCILE_FAILED("ReconcileFailed"),
    CERTIFICATES_UNUSABLE("CertificatesUnusable"),

    SCALING_OUT("ScalingOut"),
    SCALING_IN("ScalingIn"),
    STARTING("Starting"),
    STABLE("Stable"),
    WORKERS_MISSING("WorkersMissing"),
    NO_UPGRADE("NoUpgrade"),

    PLANNED("Planned"),
    COMMITTED("Committed"),
    DRAINING("Draining"),
    REMOVING("Removing"),
    SUPERSEDED("Superseded"),
    COMPLETE("Complete"),
    ABORTED("Aborted"),

    HEALTHY("Healthy"),
    NEW("New"),
    UNHEALTHY("Unhealthy"),
    MUST_DIE("MustDie"),
    UNKNOWN("Unknown"),
    NOT_TAKEN("NotTaken"),
    HOLDS_NOTHING("HoldsNothing"),
    HOLDS_WORK("HoldsWork"),
    NEVER_STARTED("NeverStarted");

    private final String word;

    Reason(String word) {
        this.word = word;
    }

    /** The word in the condition. */
    public String word() {
        return word;
    }
}
