/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.cli.view.Column;
import dev.ratchet.cli.view.Section;
import dev.ratchet.cli.view.View;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.protocol.client.v1.MemberStatus;
import dev.ratchet.protocol.client.v1.StatusReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;

/** {@code ratchet upgrade}: which releases the workers are of, as they say themselves, without Kubernetes. */
@Command(
        name = "upgrade",
        description = "Shows which releases the workers are of; kubectl ratchet upgrade does more.",
        mixinStandardHelpOptions = true,
        subcommands = ReleasesCommand.Status.class)
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
