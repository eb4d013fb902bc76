/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import org.jspecify.annotations.Nullable;

/**
 * Owns the meeting of our pod and the user's: a strategic merge in which the user's word wins, because what is ours
 * alone was checked before.
 */
final class PodTemplates {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private PodTemplates() {}

    static PodTemplateSpec merge(PodTemplateSpec ours, @Nullable PodTemplateSpec users) {
        if (users == null) {
            return ours;
        }
        JsonNode merged = StrategicMerge.merge(MAPPER.valueToTree(ours), MAPPER.valueToTree(users));
        try {
            return MAPPER.treeToValue(merged, PodTemplateSpec.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "podTemplate can not be merged into the pod: " + e.getOriginalMessage(), e);
        }
    }
}
