/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.apply;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.Set;

/**
 * One write that the API server refused: a quota, a webhook, a policy, a right that is missing. It would refuse it
 * again, so it is repeated with growing delays, and nothing else waits for it but what relies on it.
 *
 * @param object such as {@code Pod orders-w-3}
 * @param message of the API server
 * @param retryAt when it may be tried again
 */
public record Refusal(String object, String message, Instant retryAt) {
    private static final int UNPROCESSABLE = 422;
    private static final Set<Integer> CODES = Set.of(
            HttpURLConnection.HTTP_BAD_REQUEST,
            HttpURLConnection.HTTP_FORBIDDEN,
            HttpURLConnection.HTTP_NOT_FOUND,
            HttpURLConnection.HTTP_BAD_METHOD,
            HttpURLConnection.HTTP_CONFLICT,
            HttpURLConnection.HTTP_ENTITY_TOO_LARGE,
            UNPROCESSABLE);
    private static final int MESSAGE_LENGTH_MAX = 500;

    /** Whether the request itself is at fault, and not the API server or the way to it. */
    static boolean is(RuntimeException failure) {
        return failure instanceof ForeignObjectException
                || (failure instanceof KubernetesClientException refused && CODES.contains(refused.getCode()));
    }

    /** What the API server said, without what the client adds around it. */
    static String message(RuntimeException failure) {
        String said = failure instanceof KubernetesClientException refused
                        && refused.getStatus() != null
                        && refused.getStatus().getMessage() != null
                ? refused.getStatus().getMessage()
                : String.valueOf(failure.getMessage());
        return said.substring(0, Math.min(said.length(), MESSAGE_LENGTH_MAX));
    }
}
