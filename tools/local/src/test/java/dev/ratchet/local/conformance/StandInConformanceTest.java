/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.local.apiserver.ApiServer;
import dev.ratchet.local.apiserver.ApiServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The stand-in answers as a real server does. */
class StandInConformanceTest extends ConformanceSuite {

    private ApiServer server;

    @Override
    protected Path kubeconfig() throws IOException {
        server = ApiServer.start(
                ApiServerOptions.at(Files.createTempDirectory("stand-in").resolve("kubeconfig")));
        return server.kubeconfig();
    }

    @Override
    protected void stop() throws IOException {
        server.close();
    }

    /** A client whose first request took too long sends it again. Which of them creates differs from run to run. */
    @Test
    void oneOfTwoAppliesAtOnceCreatesAndTheOtherChangesNothing() {
        for (int round = 0; round < 20; round++) {
            api().delete(gadgets() + "/a");
            CompletableFuture<Reply> first = CompletableFuture.supplyAsync(this::applyRed);
            Reply second = applyRed();
            assertThat(List.of(first.join().code(), second.code())).containsExactlyInAnyOrder(200, 201);
        }
    }

    private Reply applyRed() {
        return api().patch("apply", gadgets() + "/a?fieldManager=one", Cases.gadget("a", "{color: red}"));
    }
}
