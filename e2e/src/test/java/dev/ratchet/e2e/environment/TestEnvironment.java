/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.environment;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;

/** One place where Ratchet runs, with its operator installed; shared by all suites of one run. */
public interface TestEnvironment extends AutoCloseable {

    /** The environment that the system property {@code ratchet.environment} names; made at the first call. */
    static TestEnvironment current() {
        return Environments.current();
    }

    /** {@code local} or {@code kubernetes}. */
    String name();

    /** A client with the rights of an administrator. */
    KubernetesClient client();

    /** The kubectl of this environment. */
    Kubectl kubectl();

    /** The kubeconfig all of this goes by. */
    Path kubeconfig();

    /** Whether the API server evaluates the CEL rules of custom resources itself (Kubernetes 1.25 and newer). */
    boolean enforcesRules();

    /** Ends the operator as a crash would, in the middle of whatever it does. It comes back by itself. */
    void killOperator();

    /** Ends the pod's main process as a crash would, without telling anybody. */
    void kill(Pod pod);

    /** Everything the operator logged so far. */
    String operatorLog();

    /** What the operator's processes serve under /metrics, one after the other. */
    String operatorMetrics();

    @Override
    void close();
}
