/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.definitions;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ratchet.local.apiserver.schema.FieldPath;
import dev.ratchet.local.apiserver.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Where a node of a schema stands, as far as that decides what it may say.
 *
 * @param path in the definition
 * @param root whether it is the schema of the whole resource
 * @param times how often a value of it can be in one object, by the limits of the lists and maps around it; null where
 *     one of them has no limit
 * @param uncorrelated the list around it whose items are not told apart, so that there is no old value to compare with;
 *     null if there is none
 * @param forbidsDefault why there must be no default; null if there may be one
 * @param metadata whether it describes the metadata of a resource
 */
record SchemaPlace(
        String path,
        boolean root,
        @Nullable Long times,
        @Nullable String uncorrelated,
        @Nullable String forbidsDefault,
        boolean metadata) {
    static SchemaPlace root(String path) {
        return new SchemaPlace(path, true, 1L, null, null, false);
    }

    boolean isResource(Schema schema) {
        return root || schema.flag("x-kubernetes-embedded-resource");
    }

    long occurrences(DeclaredType type) {
        return times == null ? type.occurrencesMax() : times;
    }

    SchemaPlace property(Schema schema, String name) {
        boolean meta =
                isResource(schema) && (name.equals("metadata") || name.equals("kind") || name.equals("apiVersion"));
        return new SchemaPlace(
                FieldPath.key(FieldPath.child(path, "properties"), name),
                false,
                times,
                uncorrelated,
                meta && root ? "in top-level " + name : forbidsDefault,
                metadata || meta);
    }

    SchemaPlace items(Schema schema) {
        String atomic = schema.listType().equals("map") ? null : path;
        return new SchemaPlace(
                FieldPath.child(path, "items"),
                false,
                times(schema, "maxItems"),
                uncorrelated == null ? atomic : uncorrelated,
                forbidsDefault,
                metadata);
    }

    SchemaPlace values(Schema schema) {
        return new SchemaPlace(
                FieldPath.child(path, "additionalProperties"),
                false,
                times(schema, "maxProperties"),
                uncorrelated,
                metadata ? "inside additionalProperties applying to object metadata" : forbidsDefault,
                metadata);
    }

    /** Below {@code allOf} and its like: no rules are allowed there. */
    SchemaPlace part(String keyword) {
        return new SchemaPlace(FieldPath.child(path, keyword), false, times, uncorrelated, forbidsDefault, metadata);
    }

    private @Nullable Long times(Schema schema, String limit) {
        JsonNode most = schema.keyword(limit);
        return times == null || most == null ? null : SizeRange.product(times, Math.max(0, most.asLong()));
    }
}
