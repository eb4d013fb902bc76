/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Program;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SessionClosedException;
import dev.ratchet.futures.cluster.TestCluster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SessionExamplesTest {

    private static final String TEXT = "the cat and the dog and the cat\n";

    private Path directory;
    private TestCluster cluster;
    private Ratchet ratchet;

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        directory = temporary;
        cluster = new TestCluster(directory);
        cluster.start(0, 2);
        cluster.start(1, 2);
        ratchet = cluster.connect();
    }

    @AfterAll
    void stop() throws Exception {
        cluster.close();
    }

    @Test
    void aFileIsFetchedCompressedAndSentAway() throws Exception {
        Map<String, byte[]> put = new ConcurrentHashMap<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] answer = TEXT.repeat(100).getBytes(StandardCharsets.UTF_8);
            if (exchange.getRequestMethod().equals("PUT")) {
                put.put(
                        exchange.getRequestURI().getPath(),
                        exchange.getRequestBody().readAllBytes());
                answer = new byte[0];
            }
            exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        try {
            String base = "http://127.0.0.1:" + server.getAddress().getPort();
            assertThat(run(new FileProcessing(), base + "/text", base + "/text.gz"))
                    .contains("bytes were sent");
        } finally {
            server.stop(0);
        }
        assertThat(put).containsOnlyKeys("/text.gz");
        try (GZIPInputStream unpacked = new GZIPInputStream(new ByteArrayInputStream(put.get("/text.gz")))) {
            assertThat(new String(unpacked.readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo(TEXT.repeat(100));
        }
    }

    @Test
    void aModelIsLoadedOnceAndAskedManyTimes() throws Exception {
        Path text = Files.writeString(directory.resolve("text"), TEXT);
        assertThat(run(new AskedModel(), text.toString(), "the", "and", "cat", "bird"))
                .isEqualTo("loaded 1 time(s)\nthe cat\nand the\ncat and\nbird \n");
    }

    @Test
    void aServiceIsStartedCalledAndStoppedByDifferentPrograms() throws Exception {
        String file = directory.resolve("service").toString();
        run(new HostedService(), "start", file);
        String reference = Files.readString(Path.of(file));
        try (Ratchet other = cluster.connect()) {
            assertThat(run(other, new HostedService(), "call", file, "good", "day"))
                    .isEqualTo("GOOD DAY\n");
        }
        run(new HostedService(), "stop", file);
        Files.writeString(Path.of(file), reference);
        assertThatThrownBy(() -> run(new HostedService(), "call", file, "gone"))
                .isInstanceOf(SessionClosedException.class);
    }

    @Test
    void whatCanNotBeUsedIsToldInOneLine() {
        for (Program program : List.of(new FileProcessing(), new AskedModel(), new HostedService())) {
            assertThatThrownBy(() -> program.run(ratchet, List.of("alone")))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageNotContaining("\n");
        }
    }

    private String run(Program program, String... arguments) throws Exception {
        return run(ratchet, program, arguments);
    }

    /** @return what the program has printed */
    private static String run(Ratchet ratchet, Program program, String... arguments) throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            program.run(ratchet, List.of(arguments));
        } finally {
            System.setOut(out);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
