/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.schema.ChangeImpact;
import dev.ratchet.crds.schema.Part;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Owns what the fields of class Upgrade say about worker pods, by path. What has its default is left out, so that a
 * later release, which has more fields, sees the same in the same spec.
 */
final class UpgradeFields {
    /** What the pod of the store is made from, and no worker. */
    private static final String STORE_POD = "spec.store.embedded.";

    /** What a circuit is reaches workers by their configuration; how it is reached is in their pods. */
    private static final String CIRCUIT = "spec.circuit.";

    private static final String CIRCUIT_HTTP = "spec.circuit.http.";

    private UpgradeFields() {}

    static Map<String, JsonNode> of(ComputeClusterSpec spec) {
        Map<String, JsonNode> found = new TreeMap<>();
        collect("spec", spec, FieldCosts.of(spec), found);
        found.keySet()
                .removeIf(path ->
                        path.startsWith(STORE_POD) || (path.startsWith(CIRCUIT) && !path.startsWith(CIRCUIT_HTTP)));
        return found;
    }

    private static void collect(String path, Part part, ChangeImpact around, Map<String, JsonNode> found) {
        Part usual = usual(part);
        for (Field field : FieldCosts.fields(part)) {
            Object value = FieldCosts.value(field, part);
            ChangeImpact cost = FieldCosts.of(field, around);
            String name = path + "." + field.getName();
            if (value instanceof Part inner) {
                collect(name, inner, cost, found);
            } else if (cost == ChangeImpact.UPGRADE
                    && value != null
                    && !Objects.equals(value, FieldCosts.value(field, usual))) {
                JsonNode tree = Revision.tree(value);
                if (!tree.isContainerNode() || !tree.isEmpty()) {
                    found.put(name, tree);
                }
            }
        }
    }

    private static Part usual(Part part) {
        try {
            return part.getClass().getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a part of the model has no public constructor: " + part.getClass(), e);
        }
    }
}
