/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import dev.ratchet.e2e.environment.TestEnvironment;

/** Something that scales the cluster without a person: a HorizontalPodAutoscaler where there is a controller for it. */
interface Autoscaler extends AutoCloseable {

    /** Makes the load such that this many workers are wanted; returns at once. */
    void want(int replicas);

    @Override
    void close();

    static Autoscaler attach(TestEnvironment environment, Cluster cluster) {
        return environment.name().equals("kubernetes")
                ? MetricsAutoscaler.start(environment, cluster)
                : new ScaleSubresourceAutoscaler(environment, cluster);
    }
}
