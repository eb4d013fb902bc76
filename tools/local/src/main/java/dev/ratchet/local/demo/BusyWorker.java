/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.demo;

import dev.ratchet.local.environment.EnvironmentException;
import dev.ratchet.local.environment.Home;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A worker that runs tasks, so that its death costs something.
 *
 * @param process found by the record that the kubelet keeps of it
 * @param claims futures that it had claimed when it was asked, over 0
 */
record BusyWorker(String pod, ProcessHandle process, int claims) {

    private static final int METRICS_PORT = 7402;
    private static final int ANSWER_LIMIT_MILLIS = 2_000;
    private static final Pattern CLAIMS = Pattern.compile("(?m)^ratchet_futures_claims\\{[^}]*} ([0-9]+)");

    /** The worker in a pod, if it runs and has claims. */
    static Optional<BusyWorker> of(Pod pod, Home home) {
        String container = pod.getSpec().getContainers().get(0).getName();
        int claims = claims(pod.getStatus().getPodIP());
        return claims == 0
                ? Optional.empty()
                : home.container(pod.getMetadata().getUid(), container)
                        .process()
                        .map(process -> new BusyWorker(pod.getMetadata().getName(), process, claims));
    }

    private static int claims(String address) {
        try {
            URLConnection connection = URI.create("http://" + address + ":" + METRICS_PORT + "/metrics")
                    .toURL()
                    .openConnection();
            connection.setConnectTimeout(ANSWER_LIMIT_MILLIS);
            connection.setReadTimeout(ANSWER_LIMIT_MILLIS);
            try (InputStream metrics = connection.getInputStream()) {
                Matcher found = CLAIMS.matcher(new String(metrics.readAllBytes(), StandardCharsets.UTF_8));
                return found.find() ? Integer.parseInt(found.group(1)) : 0;
            }
        } catch (IOException silent) {
            return 0;
        }
    }

    /** Does what {@code kill -9} does; returns what was killed. */
    String kill() throws EnvironmentException {
        if (!process.destroyForcibly()) {
            throw new EnvironmentException(
                    1, "the worker " + pod + " (process " + process.pid() + ") can not be killed");
        }
        return pod + " (process " + process.pid() + ") with " + claims + (claims == 1 ? " claim" : " claims");
    }
}
