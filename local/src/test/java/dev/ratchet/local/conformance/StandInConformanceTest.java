/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

import dev.ratchet.local.apiserver.ApiServer;
import dev.ratchet.local.apiserver.ApiServerOptions;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The stand-in answers as a real server does. */
class StandInConformanceTest extends ConformanceSuite {

    @TempDir
    static Path folder;

    private ApiServer server;

    @Override
    protected Path kubeconfig() throws IOException {
        server = ApiServer.start(ApiServerOptions.at(folder.resolve("kubeconfig")));
        return server.kubeconfig();
    }

    @Override
    protected void stop() throws IOException {
        server.close();
    }
}
