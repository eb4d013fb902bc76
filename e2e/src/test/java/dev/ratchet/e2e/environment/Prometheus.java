/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.environment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A Prometheus of a test's own that scrapes what it is told every second and loads alerts; Debian has the program. */
public final class Prometheus implements AutoCloseable {
    private final Process process;
    private final Path directory;
    private final String address;

    private Prometheus(Process process, Path directory, String address) {
        this.process = process;
        this.directory = directory;
        this.address = address;
    }

    /** The program on the path, if it is installed. */
    public static Optional<Path> program() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, "prometheus"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Starts {@code program}.
     *
     * @param targets labels by address; each is scraped at {@code /metrics}
     * @param rules a file with alerts
     */
    public static Prometheus start(Path program, Map<String, Map<String, String>> targets, Path rules) {
        try {
            Path directory = Files.createTempDirectory("prometheus");
            Files.writeString(directory.resolve("prometheus.yml"), configuration(targets, rules));
            String address = "127.0.0.1:" + freePort();
            Process process = new ProcessBuilder(
                            program.toString(),
                            "--config.file=" + directory.resolve("prometheus.yml"),
                            "--storage.tsdb.path=" + directory.resolve("data"),
                            "--web.listen-address=" + address)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("log").toFile())
                    .start();
            return new Prometheus(process, directory, address);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String configuration(Map<String, Map<String, String>> targets, Path rules) throws IOException {
        List<Map<String, Object>> statics = targets.entrySet().stream()
                .map(target -> Map.<String, Object>of("targets", List.of(target.getKey()), "labels", target.getValue()))
                .collect(Collectors.toList());
        // JSON is YAML.
        return new ObjectMapper()
                .writeValueAsString(Map.of(
                        "global", Map.of("scrape_interval", "1s", "evaluation_interval", "1s"),
                        "rule_files", List.of(rules.toString()),
                        "scrape_configs", List.of(Map.of("job_name", "ratchet", "static_configs", statics))));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Whether it answers; what it logged is the error when it has ended. */
    public boolean isReady() {
        if (!process.isAlive()) {
            throw new AssertionError("prometheus ended:\n" + log());
        }
        try {
            Http.get("http://" + address + "/-/ready");
            return true;
        } catch (AssertionError notYet) {
            return false;
        }
    }

    /** The series that {@code query} answers with; an {@link AssertionError} if it is refused. */
    public JsonNode query(String query) {
        return get("/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8))
                .at("/data/result");
    }

    /** The alerts as it has loaded them, each with its {@code health}. */
    public JsonNode rules() {
        return get("/api/v1/rules").at("/data/groups/0/rules");
    }

    private JsonNode get(String path) {
        try {
            return new ObjectMapper().readTree(Http.get("http://" + address + path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String log() {
        try {
            return Files.readString(directory.resolve("log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
