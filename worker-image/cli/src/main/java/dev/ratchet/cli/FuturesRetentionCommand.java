/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.protocol.client.v1.RetainReply;
import dev.ratchet.protocol.client.v1.RetainRequest;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ratchet futures retention}: tells or changes how long futures are kept whose submitters say nothing. */
@Command(
        name = "retention",
        description =
                "Tells how long futures are kept after their ends where their submitters do not say it, or changes"
                        + " that for the whole cluster; all workers go by it within a minute.",
        mixinStandardHelpOptions = true)
final class FuturesRetentionCommand extends GatewayCommand {

    @Parameters(arity = "0..1", paramLabel = "DURATION", description = "new value, such as 90m, 6h or 7d; 1m to 3650d")
    private @Nullable String duration;

    private RetainRequest request = RetainRequest.getDefaultInstance();

    @Override
    void check() {
        if (duration != null) {
            request = RetainRequest.newBuilder()
                    .setRetentionMillis(parse(duration).toMillis())
                    .build();
        }
    }

    private static Duration parse(String given) {
        String upper = given.toUpperCase(Locale.ROOT);
        try {
            return Duration.parse(upper.endsWith("D") ? "P" + upper : "PT" + upper);
        } catch (DateTimeParseException unreadable) {
            throw new InvalidInputException(
                    "The duration " + given + " can not be read. Give a number with a unit, such as 90m, 6h or 7d.");
        }
    }

    @Override
    int ask(GatewayConnection gateway, PrintWriter out) {
        RetainReply reply = GatewayConnection.await(gateway.call((stub, answer) -> stub.retain(request, answer)));
        Duration kept = Duration.ofMillis(reply.getRetentionMillis());
        out.println("Futures are kept for " + words(kept) + " after their ends.");
        return 0;
    }

    private static String words(Duration kept) {
        return kept.toDaysPart() > 0 && kept.equals(Duration.ofDays(kept.toDays()))
                ? kept.toDays() + "d"
                : kept.toString().substring(2).toLowerCase(Locale.ROOT);
    }
}
