/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;

/**
 * What one pod's runner asks of the kubelet. Methods may block on the API server and throw its client's exceptions.
 * Thread-safe.
 */
interface PodHost {

    KubeletOptions options();

    PodSources sources();

    /** Replaces the parts of the pod's status that are set in {@code status}. */
    void writeStatus(Pod pod, PodStatus status);

    /**
     * Takes the pod, whose processes have all ended, out of the API server; does nothing when it has gone or another
     * has its name.
     */
    void remove(Pod pod);

    /** Tells what happened in the pod's events; never throws. */
    void event(Pod pod, String type, String reason, String message);
}
