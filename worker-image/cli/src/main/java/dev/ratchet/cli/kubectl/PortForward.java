/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.kubectl;

import dev.ratchet.client.InvalidInputException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A way into the cluster for a caller outside of it. Ends with this program. */
public final class PortForward {

    /** Where workers serve clients. */
    public static final int CLIENT_PORT = 7400;

    /** Where they serve their circuit. */
    public static final int CIRCUIT_PORT = 7404;

    private static final Logger LOG = LoggerFactory.getLogger(PortForward.class);
    private static final int REACH_MILLIS = 1_000;
    private static final int START_SECONDS = 30;
    private static final int TOLD_CHARS_MAX = 2_000;
    private static final Pattern FORWARDING = Pattern.compile("Forwarding from 127\\.0\\.0\\.1:(\\d+) ->.*");

    private PortForward() {}

    /** Whether one of these addresses can be connected to from here, within a second. */
    public static boolean isReachable(List<String> endpoints) {
        CompletableFuture<Boolean> one = new CompletableFuture<>();
        for (String endpoint : endpoints) {
            Thread.ofVirtual().start(() -> {
                int colon = endpoint.lastIndexOf(':');
                try (Socket socket = new Socket()) {
                    socket.connect(
                            new InetSocketAddress(
                                    endpoint.substring(0, Math.max(0, colon)),
                                    Integer.parseInt(endpoint.substring(colon + 1))),
                            REACH_MILLIS);
                    one.complete(true);
                } catch (IOException | IllegalArgumentException unreachable) {
                    LOG.debug("Not reachable from here: {}", endpoint, unreachable);
                }
            });
        }
        return one.completeOnTimeout(false, REACH_MILLIS, TimeUnit.MILLISECONDS).join();
    }

    /**
     * Forwards a free port of this machine to {@code port} of a worker behind the cluster's service.
     *
     * @return {@code 127.0.0.1:port}
     * @throws InvalidInputException if kubectl can not do it, with what it said
     */
    public static String start(Kubectl kubectl, String service, int port) {
        try {
            Process process =
                    kubectl.start(List.of("port-forward", "service/" + service, ":" + port, "--address=127.0.0.1"));
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "end-port-forward"));
            CompletableFuture<String> errors = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> errors.complete(read(process)));
            CompletableFuture<Integer> local = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> {
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                lines.lines().forEach(line -> {
                    Matcher told = FORWARDING.matcher(line);
                    if (told.matches()) {
                        local.complete(Integer.parseInt(told.group(1)));
                    }
                });
                local.completeExceptionally(new IOException("kubectl port-forward ended"));
            });
            return address(service, process, local, errors);
        } catch (IOException failed) {
            throw new InvalidInputException("kubectl port-forward failed: " + failed.getMessage(), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InvalidInputException("Interrupted while waiting for kubectl port-forward", interrupted);
        }
    }

    private static String address(
            String service, Process process, CompletableFuture<Integer> port, CompletableFuture<String> errors)
            throws InterruptedException {
        try {
            return "127.0.0.1:" + port.get(START_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            process.destroy();
            String told = errors.completeOnTimeout("it said nothing", 1, TimeUnit.SECONDS)
                    .join();
            throw new InvalidInputException(
                    "The cluster can not be reached from here, and kubectl port-forward service/" + service
                            + " has failed: " + told.strip(),
                    failed);
        }
    }

    /** Reads what it says to the end, and keeps the beginning: it must never wait for its reader. */
    private static String read(Process process) {
        StringBuilder told = new StringBuilder();
        new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))
                .lines()
                .filter(line -> told.length() < TOLD_CHARS_MAX)
                .forEach(line -> told.append(line).append('\n'));
        return told.toString();
    }
}
