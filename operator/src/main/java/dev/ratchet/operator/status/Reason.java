/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.status;

/**
 * Why a condition is as it is: a closed set of words that people may match on. Each is explained in docs/operations.md.
 */
public enum Reason {
    ACCEPTED("Accepted", "the newest spec is in effect"),
    INVALID_SPEC("InvalidSpec", "the spec can not work"),
    IMMUTABLE_FIELD("ImmutableField", "a field was changed that can not be"),
    NOT_SUPPORTED("NotSupported", "this release can not do what the spec asks for"),
    NEWER_VERSION("NewerVersion", "something is of a later release than this operator"),
    OLDER_DEFINITIONS("OlderDefinitions", "the definitions are of an older release than this operator"),

    ALL_WORKERS_READY("AllWorkersReady", "all wanted workers take work"),
    NO_WORKERS_WANTED("NoWorkersWanted", "no workers are wanted"),
    WAITING_FOR_PODS("WaitingForPods", "the pod is not ready yet"),
    WAITING_FOR_STORE("WaitingForStore", "the store is not ready yet"),
    PODS_CAN_NOT_START("PodsCanNotStart", "a pod can not start"),
    COORDINATOR_UNREACHABLE("CoordinatorUnreachable", "no coordinator could be heard"),
    SPEC_NOT_ACCEPTED("SpecNotAccepted", "no spec was accepted yet"),
    PAUSED("Paused", "spec.paused is true: nothing is changed"),
    DELETING("Deleting", "the cluster is being deleted"),
    CLEANUP_BLOCKED("CleanupBlocked", "the cleanup waits"),
    RECONCILE_FAILED("ReconcileFailed", "the last attempt failed and will be repeated"),
    WRITE_REFUSED("WriteRefused", "the API server refuses an object, and the attempt will be repeated"),
    WRONG_STORE("WrongStore", "the store is not the one that the cluster used before"),
    NAMESPACE_TERMINATING("NamespaceTerminating", "the namespace is being deleted, so nothing is made in it"),
    FORMER_CLUSTER_REMAINS("FormerClusterRemains", "what a former cluster of this name left is being deleted"),
    WAITING_FOR_CERTIFICATES("WaitingForCertificates", "cert-manager has not made a certificate yet"),
    CERTIFICATES_UNUSABLE("CertificatesUnusable", "the certificates can not be used"),

    SCALING_OUT("ScalingOut", "workers are being added"),
    SCALING_IN("ScalingIn", "workers are leaving"),
    STARTING("Starting", "pods are starting"),
    STABLE("Stable", "nothing is being changed"),
    WORKERS_MISSING("WorkersMissing", "not all workers are ready"),
    NO_UPGRADE("NoUpgrade", "no upgrade is under way"),
    UPGRADING("Upgrading", "workers are being replaced by those of another revision"),
    ROLLING_BACK("RollingBack", "an upgrade failed, and its workers are being replaced by those of before"),
    UPGRADE_SUSPENDED("UpgradeSuspended", "spec.upgrade.suspended is true: no further worker is replaced"),
    INSUFFICIENT_CAPACITY("InsufficientCapacity", "no node has room for a worker more"),
    NOT_IN_PLACE("NotInPlace", "the change can not be made to pods that live"),
    UPGRADE_GATE_FAILED("UpgradeGateFailed", "the new workers did not work in time, or not for long enough"),
    FINALIZE_AWAITED("FinalizeAwaited", "all workers are new, and formats are raised when a person says so"),
    FORMAT_INCOMPATIBLE("FormatIncompatible", "the release does not read what the store records"),
    ROLLED_BACK("RolledBack", "the upgrade failed and was taken back"),
    NO_SUCH_SLOTS("NoSuchSlots", "sessions wait for slots that no worker has"),

    RUNNING("Running", "the circuit takes steps"),
    RECOVERING("Recovering", "the state is opened, and steps since the last checkpoint are taken again"),
    WAITING_FOR_WORKER("WaitingForWorker", "a worker of the circuit is not there; outputs are held"),
    WAITING_FOR_LAYOUT("WaitingForLayout", "the circuit starts once the wanted workers are in force"),
    SUSPENDED("Suspended", "spec.circuit.suspended is true: no step is taken"),
    PROGRAM_INVALID("ProgramInvalid", "the program can not run as it is"),
    PROGRAM_MISSING("ProgramMissing", "there is no program that could run"),
    STATE_LOST("StateLost", "no version of the state is there on all workers"),
    STOPPED("Stopped", "a step can not be taken"),
    NO_VOLUMES("NoVolumes", "the workers have no volumes"),
    DURABLE("Durable", "the files of a worker outlive its pod"),

    PLANNED("Planned", "the layout is proposed"),
    COMMITTED("Committed", "the coordinator put the layout into force"),
    DRAINING("Draining", "leaving workers give back what they hold"),
    REMOVING("Removing", "leaving workers are being removed"),
    SUPERSEDED("Superseded", "a later layout took its place"),
    COMPLETE("Complete", "nothing is left to do"),
    ABORTED("Aborted", "the layout was given up before it was in force"),

    HEALTHY("Healthy", "the worker takes work"),
    NEW("New", "the worker took its seat and is not proved yet"),
    UNHEALTHY("Unhealthy", "the worker missed a deadline"),
    MUST_DIE("MustDie", "the lease of the worker is over"),
    UNKNOWN("Unknown", "the coordinator said nothing about it"),
    NOT_TAKEN("NotTaken", "the seat was never taken"),
    HOLDS_NOTHING("HoldsNothing", "the worker holds nothing and takes nothing"),
    HOLDS_WORK("HoldsWork", "the worker holds something or may take something"),
    STAYS("Stays", "the worker is not leaving"),
    NEVER_STARTED("NeverStarted", "no process of the cluster ever ran with this seat");

    private final String word;
    private final String text;

    Reason(String word, String text) {
        this.word = word;
        this.text = text;
    }

    /** The word in the condition. */
    public String word() {
        return word;
    }

    /** A sentence for a condition that has no more to say. */
    public String text() {
        return text;
    }
}
