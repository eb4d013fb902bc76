/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds;

/**
 * Every name that is derived from the name of a cluster, and the fixed names of the public contract. With a cluster
 * name of at most {@link #CLUSTER_NAME_LENGTH_MAX} characters each derived name is a DNS label of at most 63.
 */
public final class Names {
    public static final String GROUP = "ratchet.dev";
    public static final String VERSION = "v1alpha1";
    public static final String FINALIZER = "ratchet.dev/cleanup";
    public static final String FIELD_MANAGER = "ratchet-operator";

    /** The one pool of a cluster. */
    public static final String POOL = "w";

    public static final int CLUSTER_NAME_LENGTH_MAX = 40;

    /**
     * Annotation of a CustomResourceDefinition: number of the schema. It is raised by each change that an operator made
     * before it must not work with; an operator that finds a number above {@link #SCHEMA} changes nothing and says so.
     */
    public static final String SCHEMA_ANNOTATION = "ratchet.dev/schema";

    public static final int SCHEMA = 4;

    /** Annotation of an object: hash of what it must be. */
    public static final String REVISION_ANNOTATION = "ratchet.dev/revision";
    /** Annotation of a cluster, set by people to "true": give up cleaning and let the resource go. */
    public static final String ABANDON_ANNOTATION = "ratchet.dev/abandon";
    /**
     * Annotation of a cluster, set by people to the id of a store that the cluster may use from now on although it is
     * not the one that {@code status.store.id} names.
     */
    public static final String ACCEPT_STORE_ANNOTATION = "ratchet.dev/accept-store";
    /**
     * Annotation of a cluster, set by people to the name of a revision: an upgrade to it that failed is tried again.
     */
    public static final String RETRY_UPGRADE_ANNOTATION = "ratchet.dev/retry-upgrade";
    /** Annotation of a cluster, set by people to the epoch of the layout that a suspended upgrade may still propose. */
    public static final String APPROVE_STEP_ANNOTATION = "ratchet.dev/approve-step";
    /** Annotation of a cluster, set by people to the level of formats that its store may be raised to. */
    public static final String FINALIZE_UPGRADE_ANNOTATION = "ratchet.dev/finalize-upgrade";
    /** Annotation of a pod whose container was given another image: what its process was before. */
    public static final String REPLACED_ANNOTATION = "ratchet.dev/replaced";
    /** Annotation of a store pod that has another image and has not worked with it yet: the image to put back. */
    public static final String FORMER_IMAGE_ANNOTATION = "ratchet.dev/former-image";
    /** Annotation of a store pod: the image that it did not work with. */
    public static final String REFUSED_IMAGE_ANNOTATION = "ratchet.dev/refused-image";
    /** Annotation of a pod: versions of what it mounts; a kubelet looks at its volumes when a pod changes. */
    public static final String MOUNTED_ANNOTATION = "ratchet.dev/mounted";
    /** Annotation of what is made for one release of Ratchet. */
    public static final String VERSION_ANNOTATION = "ratchet.dev/version";

    /**
     * Annotation of a cluster, set by people: what a circuit shall do that has stopped or lost its state. The condition
     * CircuitRunning says then what may be put here.
     */
    public static final String CIRCUIT_DECISION_ANNOTATION = "ratchet.dev/circuit-decision";

    /** Container of a worker pod that runs the worker. */
    public static final String WORKER_CONTAINER = "worker";
    /** Container of a store pod that runs the store. */
    public static final String STORE_CONTAINER = "store";

    /** Key of the ConfigMap {@link #config}. */
    public static final String CONFIG_KEY = "cluster.json";

    private Names() {}

    /** Name of a worker pod, of its seat and of its ComputeWorker. */
    public static String seat(String cluster, String pool, int ordinal) {
        return cluster + "-" + pool + "-" + ordinal;
    }

    public static String storePod(String cluster) {
        return cluster + "-store-0";
    }

    /** Pod that brings another image to the node of the store. */
    public static String pullPod(String cluster) {
        return cluster + "-pull";
    }

    public static String storeService(String cluster) {
        return cluster + "-store";
    }

    public static String clientService(String cluster) {
        return cluster + "-client";
    }

    /** Where the circuit is fed and read. */
    public static String circuitService(String cluster) {
        return cluster + "-circuit";
    }

    public static String config(String cluster) {
        return cluster + "-config";
    }

    /** Secret of the certificate authority; only the operator reads it. */
    public static String authoritySecret(String cluster) {
        return cluster + "-ca";
    }

    /** Secret with the certificate of one pod. */
    public static String podCertificate(String pod) {
        return pod + "-tls";
    }

    /** Secret of the client that every cluster has. */
    public static String defaultClientSecret(String cluster) {
        return cluster + "-client";
    }

    /** Secret of a client of {@code access.clients[]} that names none. */
    public static String clientSecret(String cluster, String client) {
        return cluster + "-client-" + client;
    }

    /** PersistentVolumeClaim of a pod. */
    public static String claim(String pod) {
        return "data-" + pod;
    }

    public static String disruptionBudget(String cluster) {
        return cluster + "-workers";
    }

    public static String networkPolicy(String cluster) {
        return cluster;
    }

    /** ControllerRevision that keeps one accepted spec. */
    public static String revision(String cluster, String hash) {
        return cluster + "-" + hash;
    }

    public static String layout(String cluster, long epoch) {
        return cluster + "-l" + epoch;
    }
}
