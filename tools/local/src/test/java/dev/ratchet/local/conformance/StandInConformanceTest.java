/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

import dev.ratchet.local.apiserver.ApiServer;
import dev.ratchet.local.apiserver.ApiServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

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
}
