/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.definitions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.FieldError;
import dev.ratchet.local.apiserver.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Checks the schema of one version of a definition, in the order of the real server: whether it is structural, then its
 * defaults, then its keywords and, only where all of these are right, the rules.
 */
public final class DefinitionSchema {
    private DefinitionSchema() {}

    /**
     * Adds what is wrong with {@code schema} to {@code errors}.
     *
     * @param path where it stands in the definition, such as {@code spec.validation.openAPIV3Schema}
     */
    public static void check(ObjectNode schema, String path, List<FieldError> errors) {
        List<FieldError> found = new ArrayList<>();
        StructuralRules.check(schema, path, found);
        Schema root = Schema.of(schema, Map.of());
        if (found.isEmpty()) {
            DefaultRules.check(root, path, found);
        }
        boolean sound = found.isEmpty();
        if (schema.path("nullable").asBoolean(false)) {
            found.add(FieldError.forbidden(path + ".nullable", "nullable cannot be true at the root"));
        }
        RuleBudget budget = new RuleBudget();
        List<FieldError> ofRules = new ArrayList<>();
        new KeywordRules(sound ? budget : null, found, ofRules).check(schema, SchemaPlace.root(path));
        errors.addAll(found);
        errors.addAll(ofRules);
        budget.settle(path, errors);
    }

    /** The members of an object of schemas, such as {@code properties}. */
    static Iterable<Map.Entry<String, JsonNode>> members(JsonNode schema, String keyword) {
        return schema.path(keyword).properties();
    }
}
