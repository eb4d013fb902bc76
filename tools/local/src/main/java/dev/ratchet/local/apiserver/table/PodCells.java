/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.Metadata;
import java.time.Duration;
import java.time.Instant;

/** How kubectl sums up a pod in three words. */
final class PodCells {

    private PodCells() {}

    static String ready(ObjectNode pod) {
        int ready = 0;
        for (JsonNode container : pod.path("status").path("containerStatuses")) {
            ready += container.path("ready").asBoolean(false) ? 1 : 0;
        }
        return ready + "/" + pod.path("spec").path("containers").size();
    }

    static String status(ObjectNode pod) {
        JsonNode status = pod.path("status");
        String reason = status.path("reason").asText(status.path("phase").asText("Unknown"));
        String initial = initStatus(pod);
        if (!initial.isEmpty()) {
            reason = initial;
        } else {
            for (JsonNode container : status.path("containerStatuses")) {
                String found = containerReason(container);
                reason = found.isEmpty() ? reason : found;
            }
            if (reason.equals("Completed") && ready(pod).charAt(0) != '0') {
                reason = "Running";
            }
        }
        return Metadata.isDeleting(pod) ? "Terminating" : reason;
    }

    private static String containerReason(JsonNode container) {
        JsonNode state = container.path("state");
        String waiting = state.path("waiting").path("reason").asText("");
        if (!waiting.isEmpty()) {
            return waiting;
        }
        return state.has("terminated") ? terminatedReason(state.path("terminated")) : "";
    }

    private static String terminatedReason(JsonNode terminated) {
        String reason = terminated.path("reason").asText("");
        if (!reason.isEmpty()) {
            return reason;
        }
        return terminated.path("signal").asLong(0) != 0
                ? "Signal:" + terminated.path("signal").asText()
                : "ExitCode:" + terminated.path("exitCode").asText();
    }

    /** What an init container that is not through yet is doing; empty when all are. */
    private static String initStatus(ObjectNode pod) {
        int total = pod.path("spec").path("initContainers").size();
        int index = 0;
        for (JsonNode container : pod.path("status").path("initContainerStatuses")) {
            JsonNode terminated = container.path("state").path("terminated");
            if (terminated.isMissingNode() || terminated.path("exitCode").asLong(0) != 0) {
                String reason = containerReason(container);
                boolean isOrdinary = reason.isEmpty() || reason.equals("PodInitializing");
                return "Init:" + (isOrdinary ? index + "/" + total : reason);
            }
            index++;
        }
        return "";
    }

    static String restarts(ObjectNode pod, Instant now) {
        long count = 0;
        Instant last = null;
        for (JsonNode container : pod.path("status").path("containerStatuses")) {
            count += container.path("restartCount").asLong(0);
            Instant finished = Metadata.instant(Json.textAt(container, "lastState", "terminated", "finishedAt"));
            if (finished != null && (last == null || finished.isAfter(last))) {
                last = finished;
            }
        }
        return count == 0 || last == null
                ? Long.toString(count)
                : count + " (" + HumanDuration.of(Duration.between(last, now)) + " ago)";
    }
}
