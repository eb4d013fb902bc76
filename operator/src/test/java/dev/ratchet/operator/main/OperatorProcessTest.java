/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.main;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the operator's process where it can not start: it ends, and says why. */
class OperatorProcessTest {

    private static final int LIMIT_SECONDS = 120;

    @TempDir
    private Path directory;

    private HttpServer api;

    @BeforeEach
    void startAnApiServerThatRefusesEverythingButItsVersion() throws Exception {
        api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        api.createContext("/", exchange -> {
            boolean isVersion = exchange.getRequestURI().getPath().equals("/version");
            byte[] answer = (isVersion
                            ? "{\"major\": \"1\", \"minor\": \"36\"}"
                            : "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"status\": \"Failure\", \"code\": 403,"
                                    + " \"reason\": \"Forbidden\", \"message\": \"not for you\"}")
                    .getBytes(UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(isVersion ? 200 : 403, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        api.start();
    }

    @AfterEach
    void stopIt() {
        api.stop(0);
    }

    @Test
    void anOperatorThatMayNotWatchEnds() throws Exception {
        assertThat(failedStart(0)).contains("The operator can not start", "not for you");
    }

    @Test
    void anOperatorWhosePortIsTakenEnds() throws Exception {
        int taken = api.getAddress().getPort();
        assertThat(failedStart(taken)).contains("The operator can not start", "port " + taken + " can not be opened");
    }

    /** What it printed. */
    private String failedStart(int httpPort) throws Exception {
        Path log = directory.resolve("log");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OperatorApp.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("RATCHET_") || name.startsWith("KUBE"));
        builder.environment()
                .put(
                        "KUBECONFIG",
                        Files.writeString(directory.resolve("kubeconfig"), kubeconfig())
                                .toString());
        builder.environment().put("RATCHET_HTTP_ADDRESS", "127.0.0.1");
        builder.environment().put("RATCHET_HTTP_PORT", Integer.toString(httpPort));
        Process operator = builder.start();
        try {
            assertThat(operator.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as(() -> "ended within " + LIMIT_SECONDS + " s; it printed " + log)
                    .isTrue();
        } finally {
            operator.destroyForcibly();
        }
        assertThat(operator.exitValue()).isEqualTo(1);
        return Files.readString(log);
    }

    private String kubeconfig() {
        return """
                {"apiVersion": "v1", "kind": "Config", "current-context": "it",
                 "clusters": [{"name": "it", "cluster": {"server": "http://127.0.0.1:%d"}}],
                 "users": [{"name": "it", "user": {}}],
                 "contexts": [{"name": "it", "context": {"cluster": "it", "user": "it"}}]}
                """.formatted(api.getAddress().getPort());
    }
}
