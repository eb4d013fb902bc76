/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ratchet.local.apiserver.json.Json;
import java.util.OptionalLong;

/**
 * How a delete is meant. Empty text stands for what was not said.
 *
 * @param propagation {@code Background}, {@code Foreground} or {@code Orphan}
 */
public record DeleteOptions(
        boolean dryRun, OptionalLong gracePeriodSeconds, String propagation, String uid, String resourceVersion) {

    /** A delete of the stand-in itself. */
    public static DeleteOptions background() {
        return new DeleteOptions(false, OptionalLong.empty(), "Background", "", "");
    }

    /** From the body of a request and, where that is silent, from its query. */
    public static DeleteOptions of(JsonNode body, String graceQuery, String propagationQuery, boolean dryRunQuery) {
        JsonNode grace = Json.at(body, "gracePeriodSeconds");
        OptionalLong seconds = grace != null
                ? OptionalLong.of(grace.asLong())
                : graceQuery.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(graceQuery));
        String propagation = Json.textAt(body, "propagationPolicy");
        if (propagation.isEmpty() && body.path("orphanDependents").asBoolean(false)) {
            propagation = "Orphan";
        }
        return new DeleteOptions(
                dryRunQuery || !body.path("dryRun").isEmpty(),
                seconds,
                propagation.isEmpty() ? propagationQuery : propagation,
                Json.textAt(body, "preconditions", "uid"),
                Json.textAt(body, "preconditions", "resourceVersion"));
    }
}
