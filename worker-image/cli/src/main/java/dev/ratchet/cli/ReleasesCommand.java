/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.cli.view.Column;
import dev.ratchet.cli.view.Section;
import dev.ratchet.cli.view.View;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.protocol.client.v1.MemberStatus;
import dev.ratchet.protocol.client.v1.StatusReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code ratchet upgrade}: which releases the workers are of, as they say themselves, without Kubernetes. */
@Command(
        name = "upgrade",
        description = "Shows which releases the workers are of; kubectl ratchet upgrade does more.",
        mixinStandardHelpOptions = true,
        subcommands = {ReleasesCommand.Status.class, ReleasesCommand.Finalize.class})
final class ReleasesCommand {

    /** {@code status}. */
    @Command(
            name = "status",
            description = "Shows how many workers are of which release, and the workers.",
            mixinStandardHelpOptions = true)
    static final class Status extends ViewCommand {
        @Override
        View look(GatewayConnection gateway) {
            return view(ClusterStatus.ask(gateway));
        }
    }

    /** {@code finalize}, which is not for clients: they can not prove what the operator has seen. */
    @Command(
            name = "finalize",
            description = "Says who raises the recorded formats: the operator, by kubectl ratchet upgrade finalize.",
            mixinStandardHelpOptions = true)
    static final class Finalize implements Callable<Integer> {
        @Override
        public Integer call() {
            throw new InvalidInputException("The operator raises the recorded formats, and no client: it alone knows"
                    + " whether the upgrade is at its end, its gates are open, and the store's own process is of the"
                    + " new release. It does so by itself, or after kubectl ratchet upgrade finalize where the"
                    + " ComputeCluster says spec.upgrade.finalize: Manual. ratchet upgrade status shows which releases"
                    + " are seated.");
        }
    }

    static View view(StatusReply status) {
        Map<String, Integer> counts = new TreeMap<>();
        for (MemberStatus member : status.getMembersList()) {
            counts.merge(member.getVersion(), 1, Integer::sum);
        }
        List<ObjectNode> releases = new ArrayList<>();
        counts.forEach((version, workers) -> releases.add(
                JsonNodeFactory.instance.objectNode().put("version", version).put("workers", workers)));
        return new View()
                .section(new Section(
                        "releases",
                        "release",
                        "version",
                        List.of(Column.of("RELEASE", "version"), Column.of("WORKERS", "workers")),
                        releases))
                .section(ClusterStatus.workers(status));
    }
}
