/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds;

import java.util.Map;
import java.util.TreeMap;

/** Labels of the objects that the operator makes: public contract, selected on by people and by network policies. */
public final class Labels {
    public static final String NAME = "app.kubernetes.io/name";
    public static final String INSTANCE = "app.kubernetes.io/instance";
    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    public static final String CLUSTER = "ratchet.dev/cluster";
    public static final String POOL = "ratchet.dev/pool";
    public static final String SEAT = "ratchet.dev/seat";
    public static final String COMPONENT = "ratchet.dev/component";

    /** Value of {@link #NAME} and {@link #MANAGED_BY}. */
    public static final String RATCHET = "ratchet";
    /** Value of {@link #COMPONENT} on what belongs to a worker. */
    public static final String WORKER = "worker";
    /** Value of {@link #COMPONENT} on what belongs to the store. */
    public static final String STORE = "store";

    private Labels() {}

    /** Labels of everything that belongs to a cluster; a new map that the caller may add to. */
    public static Map<String, String> cluster(String cluster) {
        Map<String, String> labels = new TreeMap<>();
        labels.put(NAME, RATCHET);
        labels.put(INSTANCE, cluster);
        labels.put(MANAGED_BY, RATCHET);
        labels.put(CLUSTER, cluster);
        return labels;
    }

    /** Labels of what belongs to one seat. */
    public static Map<String, String> seat(String cluster, String pool, String seat) {
        Map<String, String> labels = cluster(cluster);
        labels.put(POOL, pool);
        labels.put(SEAT, seat);
        labels.put(COMPONENT, WORKER);
        return labels;
    }

    /** Labels of what belongs to the store of a cluster. */
    public static Map<String, String> store(String cluster) {
        Map<String, String> labels = cluster(cluster);
        labels.put(COMPONENT, STORE);
        return labels;
    }

    /** What selects the worker pods of a cluster, in the order of {@code status.selector}. */
    public static String workerSelector(String cluster) {
        return MANAGED_BY + "=" + RATCHET + "," + CLUSTER + "=" + cluster + "," + COMPONENT + "=" + WORKER;
    }
}
