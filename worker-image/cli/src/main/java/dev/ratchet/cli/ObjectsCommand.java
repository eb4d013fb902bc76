/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.cli.view.Column;
import dev.ratchet.cli.view.Section;
import dev.ratchet.cli.view.View;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.ListObjectsReply;
import dev.ratchet.protocol.client.v1.ListObjectsRequest;
import dev.ratchet.protocol.client.v1.ObjectDescription;
import dev.ratchet.protocol.client.v1.ObjectHolder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ratchet objects}: the results that workers hold because they are too large for the store. */
@Command(
        name = "objects",
        description = "Shows the results that workers hold: future, size, state, job, name, and who holds them.",
        mixinStandardHelpOptions = true)
final class ObjectsCommand extends ViewCommand {

    private static final int PAGE = 1_000;

    /** Rows that are lined up with each other. */
    private static final int LIMIT_MAX = 100_000;

    private static final List<Column> COLUMNS = List.of(
            Column.of("FUTURE", "future"),
            Column.of("BYTES", "bytes"),
            Column.of("STATE", "state"),
            Column.of("JOB", "job"),
            Column.of("NAME", "name"),
            new Column("HOLDERS", ObjectsCommand::holders));

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
    View look(GatewayConnection gateway) {
        List<ObjectNode> results = new ArrayList<>();
        ListObjectsRequest.Builder request = ListObjectsRequest.newBuilder().setLimit(PAGE);
        int left = limit;
        boolean more;
        do {
            ListObjectsReply reply =
                    GatewayConnection.await(gateway.call((stub, answer) -> stub.listObjects(request.build(), answer)));
            for (ObjectDescription object : reply.getObjectsList()) {
                if (isWanted(object) && left-- > 0) {
                    results.add(json(object));
                }
            }
            request.setFrom(reply.getNext());
            more = !reply.getNext().isEmpty();
        } while (more && left > 0);
        boolean isCut = left < 0 || more;
        View view = new View().section(new Section("results", "result", "future", COLUMNS, results));
        view.fields().put("more", isCut);
        if (left == limit) {
            view.note("No worker holds a result" + (job == null && seat == null ? "." : " like that."));
        }
        return isCut ? view.ending("... more than " + limit + " results: raise --limit") : view;
    }

    private boolean isWanted(ObjectDescription object) {
        return (job == null || object.getJob().equals(job))
                && (seat == null
                        || object.getHoldersList().stream()
                                .anyMatch(holder -> holder.getSeat().equals(seat)));
    }

    private static ObjectNode json(ObjectDescription object) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("future", Ids.of(object.getId()).toString())
                .put("bytes", object.getBytes())
                .put("state", Lifecycle.word(object.getState()))
                .put("job", object.getJob())
                .put("name", object.getName());
        ArrayNode holders = json.putArray("holders");
        object.getHoldersList().stream().map(ObjectHolder::getSeat).forEach(holder -> holders.add(holder));
        return json;
    }

    private static String holders(ObjectNode result) {
        List<String> seats = new ArrayList<>();
        result.path("holders").forEach(seat -> seats.add(seat.asText()));
        return String.join(",", seats);
    }
}
