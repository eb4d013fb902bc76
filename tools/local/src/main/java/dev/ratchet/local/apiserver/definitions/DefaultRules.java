/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.definitions;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ratchet.local.apiserver.json.FieldError;
import dev.ratchet.local.apiserver.schema.CelValidator;
import dev.ratchet.local.apiserver.schema.FieldPath;
import dev.ratchet.local.apiserver.schema.Schema;
import dev.ratchet.local.apiserver.schema.SchemaPruner;
import dev.ratchet.local.apiserver.schema.SchemaValidator;
import java.util.ArrayList;
import java.util.List;

/**
 * A default is valid by the schema that it stands in, and by the rules there, as it is written: the defaults below it
 * are not filled in first.
 */
final class DefaultRules {
    private DefaultRules() {}

    static void check(Schema schema, String path, List<FieldError> errors) {
        JsonNode value = schema.defaultValue();
        if (value != null && !value.isNull()) {
            check(schema, value, FieldPath.child(path, "default"), errors);
        }
        Schema items = schema.items();
        if (items != null) {
            check(items, FieldPath.child(path, "items"), errors);
        }
        for (String name : schema.propertyNames()) {
            check(schema.fieldOrAny(name), FieldPath.key(FieldPath.child(path, "properties"), name), errors);
        }
    }

    private static void check(Schema schema, JsonNode value, String path, List<FieldError> errors) {
        List<String> unknown = new ArrayList<>();
        SchemaPruner.prune(schema, value.deepCopy(), "", unknown);
        if (!unknown.isEmpty()) {
            errors.add(FieldError.invalid(path, value.toString(), "must not have unknown fields"));
        }
        List<FieldError> found = new ArrayList<>();
        SchemaValidator.validate(schema, value, path, found);
        if (found.isEmpty()) {
            CelValidator.validate(schema, value, value, path, found);
        }
        if (found.isEmpty()) {
            CelValidator.validate(schema, value, null, path, found);
        }
        errors.addAll(found);
    }
}
