/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.HTTPHeader;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Probe;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Asks a container once how it is: by HTTP, by a TCP connection, or by a command. Blocks for at most the probe's
 * timeout, so it is called on a virtual thread.
 *
 * @param container whose ports may be named
 * @param address of the pod
 * @param paths translates the command's arguments
 * @param variables environment of the command
 */
record ProbeCheck(Container container, String address, PathMap paths, Map<String, String> variables) {

    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /** What is wrong, or empty. */
    Optional<String> run(Probe probe) throws InterruptedException {
        Duration timeout = Duration.ofSeconds(positive(probe.getTimeoutSeconds(), 1));
        try {
            if (probe.getHttpGet() != null) {
                return http(probe.getHttpGet(), timeout);
            }
            if (probe.getTcpSocket() != null) {
                return connect(
                        probe.getTcpSocket().getHost(),
                        port(probe.getTcpSocket().getPort()),
                        timeout);
            }
            if (probe.getExec() != null) {
                return execute(probe.getExec().getCommand(), timeout);
            }
            return Optional.of("the probe is of a kind that the local kubelet does not know;"
                    + " it knows httpGet, tcpSocket and exec");
        } catch (IOException | IllegalArgumentException e) {
            return Optional.of(e.toString());
        }
    }

    Optional<String> http(HTTPGetAction get, Duration timeout) throws IOException, InterruptedException {
        String scheme = "HTTPS".equals(get.getScheme()) ? "https" : "http";
        String host = get.getHost() == null || get.getHost().isEmpty() ? address : get.getHost();
        String path = get.getPath() == null ? "/" : get.getPath();
        URI uri = URI.create(
                scheme + "://" + host + ":" + port(get.getPort()) + (path.startsWith("/") ? "" : "/") + path);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri).timeout(timeout).header("User-Agent", "kube-probe/1.36");
        for (HTTPHeader header : get.getHttpHeaders()) {
            if (!header.getName().equalsIgnoreCase("host")) {
                request.header(header.getName(), header.getValue());
            }
        }
        int code = HTTP.send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
        return code >= 200 && code < 400 ? Optional.empty() : Optional.of("HTTP probe failed with statuscode: " + code);
    }

    private Optional<String> connect(String wantedHost, int port, Duration timeout) throws IOException {
        String host = wantedHost == null || wantedHost.isEmpty() ? address : wantedHost;
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), Math.toIntExact(timeout.toMillis()));
            return Optional.empty();
        }
    }

    Optional<String> execute(List<String> command, Duration timeout) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                        command.stream().map(paths::translate).toList())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(variables);
        Process process = builder.start();
        if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            process.descendants().collect(Collectors.toList()).forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            return Optional.of(
                    "command \"" + String.join(" ", command) + "\" timed out after " + timeout.toSeconds() + "s");
        }
        int code = process.exitValue();
        return code == 0
                ? Optional.empty()
                : Optional.of("command \"" + String.join(" ", command) + "\" ended with exit code " + code);
    }

    private int port(IntOrString port) {
        if (port.getIntVal() != null) {
            return port.getIntVal();
        }
        return container.getPorts().stream()
                .filter(candidate -> port.getStrVal().equals(candidate.getName()))
                .map(ContainerPort::getContainerPort)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "container " + container.getName() + " has no port named " + port.getStrVal()));
    }

    static int positive(Integer value, int otherwise) {
        return value == null || value <= 0 ? otherwise : value;
    }
}
