/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.cli.view.View;
import dev.ratchet.futures.client.GatewayConnection;
import picocli.CommandLine.Command;

/** {@code ratchet workers}: who works. */
@Command(name = "workers", description = "Shows the workers of a cluster.", mixinStandardHelpOptions = true)
final class WorkersCommand extends ViewCommand {

    @Override
    View look(GatewayConnection gateway) {
        return new View().section(ClusterStatus.workers(ClusterStatus.ask(gateway)));
    }
}
