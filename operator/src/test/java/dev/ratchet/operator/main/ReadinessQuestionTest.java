/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.protocol.health.HealthPort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ReadinessQuestionTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private int ask(String... arguments) throws InterruptedException {
        PrintStream both = new PrintStream(printed, true, StandardCharsets.UTF_8);
        return ReadinessQuestion.ask(arguments, both, both);
    }

    @Test
    void theExitCodeTellsWhetherTheOperatorIsReady() throws IOException, InterruptedException {
        AtomicReference<Optional<String>> problem = new AtomicReference<>(Optional.of("not ready"));
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        String url;
        try (HealthPort port = new HealthPort(
                any, Optional::empty, () -> CompletableFuture.completedFuture(problem.get()), () -> "")) {
            url = "http://127.0.0.1:" + port.port() + "/readyz";
            assertThat(ask("ready", url)).isEqualTo(1);
            problem.set(Optional.empty());
            assertThat(ask("ready", url)).isZero();
        }
        assertThat(ask("ready", url)).isEqualTo(1);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("answers 503 not ready", "answers 200 ok", "does not answer");
    }

    @Test
    void argumentsThatMeanNothingAreRefused() throws InterruptedException {
        assertThat(ask("ready")).isEqualTo(2);
        assertThat(ask("restart", "now")).isEqualTo(2);
        assertThat(ask("ready", "ftp://x")).isEqualTo(2);
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("takes no arguments", "no URL of HTTP");
    }
}
