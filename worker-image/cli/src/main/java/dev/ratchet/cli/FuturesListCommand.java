/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.cli.view.View;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.protocol.client.v1.FutureDescription;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ratchet futures list}: exact, also of what ended long ago. */
@Command(
        name = "list",
        description = "Lists futures, those of all time; all options together narrow the list.",
        mixinStandardHelpOptions = true)
final class FuturesListCommand extends ViewCommand {

    @Mixin
    private FutureFilter filter;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "at most so many, 1 to 1000000 (default: ${DEFAULT-VALUE})")
    private int limit = 1_000;

    @Override
    void check() {
        filter.check();
        if (limit < 1 || limit > 1_000_000) {
            throw new InvalidInputException("--limit is 1 to 1000000, not " + limit + ".");
        }
    }

    @Override
    View look(GatewayConnection gateway) {
        List<FutureDescription> found = new ArrayList<>();
        FutureFilter.read(gateway, filter.request().setLimit(Math.min(1_000, limit + 1)), future -> {
            found.add(future);
            return found.size() <= limit;
        });
        boolean more = found.size() > limit;
        View view = new View()
                .section(FutureView.section(found.stream().limit(limit).toList()));
        view.fields().put("more", more);
        if (found.isEmpty()) {
            view.note(filter.isEmpty() ? "There are no futures." : "No future is like that.");
        }
        return more ? view.ending("... more than " + limit + " futures: raise --limit") : view;
    }
}
