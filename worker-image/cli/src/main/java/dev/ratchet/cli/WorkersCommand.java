/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.futures.client.GatewayConnection;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code ratchet workers}: who works. */
@Command(name = "workers", description = "Shows the workers of a cluster.", mixinStandardHelpOptions = true)
final class WorkersCommand extends GatewayCommand {

    @Override
    int ask(GatewayConnection gateway, PrintWriter out) {
        StatusCommand.workers(StatusCommand.status(gateway)).print(out);
        return 0;
    }
}
