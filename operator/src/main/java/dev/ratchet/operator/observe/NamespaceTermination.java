/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;

/** Owns the reading of the one refusal that means that a namespace is being deleted. */
public final class NamespaceTermination {
    private static final String CAUSE = "NamespaceTerminating";

    private NamespaceTermination() {}

    /** Whether nothing can be made any more, because the namespace is being deleted. */
    public static boolean isCauseOf(RuntimeException failure) {
        return failure instanceof KubernetesClientException refused
                && refused.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                && refused.getStatus() != null
                && refused.getStatus().getDetails() != null
                && refused.getStatus().getDetails().getCauses().stream()
                        .anyMatch(cause -> CAUSE.equals(cause.getReason()));
    }
}
