/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.protocol.client.v1.ListObjectsReply;
import dev.ratchet.protocol.client.v1.ListObjectsRequest;
import dev.ratchet.protocol.client.v1.ObjectDescription;
import dev.ratchet.protocol.client.v1.ObjectHolder;
import java.io.PrintWriter;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ratchet objects}: the results that workers hold because they are too large for the store. */
@Command(
        name = "objects",
        description = "Shows the results that workers hold: future, size, state, job, name, and who holds them.",
        mixinStandardHelpOptions = true)
final class ObjectsCommand extends GatewayCommand {

    private static final int PAGE = 1_000;

    /** Rows that are lined up with each other. */
    private static final int LIMIT_MAX = 100_000;

    @Option(names = "--limit", paramLabel = "N", description = "most results to show (default: ${DEFAULT-VALUE})")
    private int limit = PAGE;

    @Option(names = "--job", paramLabel = "JOB", description = "only results of this job")
    private @Nullable String job;

    @Option(names = "--seat", paramLabel = "SEAT", description = "only results that this worker holds")
    private @Nullable String seat;

    @Override
    void check() {
        requireValue("--job", job);
        requireValue("--seat", seat);
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new InvalidInputException("--limit is 1 to " + LIMIT_MAX + ", not " + limit + ".");
        }
    }

    @Override
    int ask(GatewayConnection gateway, PrintWriter out) {
        Table table = new Table("FUTURE", "BYTES", "STATE", "JOB", "NAME", "HOLDERS");
        ListObjectsRequest.Builder request = ListObjectsRequest.newBuilder().setLimit(PAGE);
        int left = limit;
        boolean more;
        do {
            ListObjectsReply reply =
                    GatewayConnection.await(gateway.call((stub, answer) -> stub.listObjects(request.build(), answer)));
            for (ObjectDescription object : reply.getObjectsList()) {
                if (isWanted(object) && left-- > 0) {
                    add(table, object);
                }
            }
            request.setFrom(reply.getNext());
            more = !reply.getNext().isEmpty();
        } while (more && left > 0);
        table.print(out);
        if (left == limit) {
            noteEmpty("No worker holds a result" + (job == null && seat == null ? "." : " like that."));
        }
        if (left < 0 || more) {
            out.println("... more than " + limit + " results: raise --limit");
        }
        return 0;
    }

    private boolean isWanted(ObjectDescription object) {
        return (job == null || object.getJob().equals(job))
                && (seat == null
                        || object.getHoldersList().stream()
                                .anyMatch(holder -> holder.getSeat().equals(seat)));
    }

    private static void add(Table table, ObjectDescription object) {
        table.row(
                Ids.of(object.getId()),
                object.getBytes(),
                Lifecycle.word(object.getState()),
                object.getJob(),
                object.getName(),
                object.getHoldersList().stream().map(ObjectHolder::getSeat).collect(Collectors.joining(",")));
    }
}
