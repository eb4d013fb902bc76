/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.cli.view.View;
import dev.ratchet.futures.client.GatewayConnection;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ratchet status}: workers and jobs. */
@Command(
        name = "status",
        description = "Shows the workers and jobs of a cluster, or one job with its work by worker.",
        mixinStandardHelpOptions = true)
final class StatusCommand extends ViewCommand {

    @Option(names = "--job", paramLabel = "NAME", description = "only this job, with its work by worker")
    private @Nullable String job;

    @Override
    void check() {
        requireValue("--job", job);
    }

    @Override
    View look(GatewayConnection gateway) {
        return job == null ? ClusterStatus.all(gateway) : ClusterStatus.job(gateway, job);
    }
}
