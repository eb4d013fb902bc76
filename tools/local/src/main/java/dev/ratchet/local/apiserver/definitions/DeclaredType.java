/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.definitions;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.schema.CelNames;
import dev.ratchet.local.apiserver.schema.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A schema as CEL declares it: the type that rules are checked against, and how large a value may be, from which their
 * cost is estimated. What has no schema of its own is not declared: rules can not name it.
 *
 * @param elementsMax characters of a text in bytes, items of a list or entries of a map; 0 for everything else
 * @param bytesMin length of the smallest value as JSON
 * @param fields by the name that rules give them
 * @param element of the items of a list or the values of a map
 */
record DeclaredType(
        CelType type,
        long elementsMax,
        long bytesMin,
        Map<String, DeclaredType> fields,
        @Nullable DeclaredType element) {
    /** The largest request that a server takes. */
    static final long REQUEST_BYTES_MAX = 3 * 1024 * 1024;

    private static final long TIME_LENGTH_MAX = 32;
    private static final long DATE_LENGTH = 12;
    /** What a character of UTF-8 may take. */
    private static final long CHARACTER_BYTES_MAX = 4;

    /** The declaration of a schema; null where rules can not see its values. {@code name} is new for each schema. */
    static @Nullable DeclaredType of(Schema schema, boolean isResource, String name) {
        if (schema.isIntOrString()) {
            return scalar(SimpleType.DYN, textBytesMax(schema), 1);
        }
        return switch (schema.type()) {
            case "array" -> list(schema, name);
            case "object" ->
                schema.source().path("additionalProperties").isObject()
                        ? map(schema, name)
                        : struct(schema, isResource, name);
            case "string" -> text(schema);
            case "boolean" -> scalar(SimpleType.BOOL, 0, 4);
            case "number" -> scalar(SimpleType.DOUBLE, 0, 1);
            case "integer" -> scalar(SimpleType.INT, 0, 1);
            default -> null;
        };
    }

    private static DeclaredType scalar(CelType type, long elementsMax, long bytesMin) {
        return new DeclaredType(type, elementsMax, bytesMin, Map.of(), null);
    }

    private static @Nullable DeclaredType list(Schema schema, String name) {
        DeclaredType items = schema.items() == null ? null : inner(schema.itemsOrAny(), name + ".@idx");
        if (items == null) {
            return null;
        }
        long most = limit(schema, "maxItems", (REQUEST_BYTES_MAX - 2) / (items.bytesMin + 1));
        return new DeclaredType(ListType.create(items.type), most, 2, Map.of(), items);
    }

    private static @Nullable DeclaredType map(Schema schema, String name) {
        Schema additional = schema.additional();
        DeclaredType values = additional == null ? null : inner(additional, name + ".@elem");
        if (values == null) {
            return null;
        }
        long most = limit(schema, "maxProperties", (REQUEST_BYTES_MAX - 2) / (values.bytesMin + 6));
        return new DeclaredType(MapType.create(SimpleType.STRING, values.type), most, 2, Map.of(), values);
    }

    private static @Nullable DeclaredType inner(Schema schema, String name) {
        return of(schema, schema.flag("x-kubernetes-embedded-resource"), name);
    }

    private static DeclaredType struct(Schema schema, boolean isResource, String name) {
        Map<String, DeclaredType> fields = new HashMap<>();
        List<String> required = schema.required();
        long bytesMin = 2;
        for (String property : schema.propertyNames()) {
            Schema inside = schema.fieldOrAny(property);
            DeclaredType field = inner(inside, name + "." + property);
            if (field != null) {
                CelNames.escape(property).ifPresent(escaped -> fields.put(escaped, field));
                if (required.contains(property) && inside.defaultValue() == null) {
                    bytesMin += property.length() + field.bytesMin + 4;
                }
            }
        }
        if (isResource) {
            DeclaredType text = text(Schema.of(Json.object().put("type", "string"), Map.of()));
            fields.put("apiVersion", text);
            fields.put("kind", text);
            fields.put("metadata", struct(name + ".metadata", Map.of("name", text, "generateName", text), 2));
        }
        return struct(name, fields, bytesMin);
    }

    private static DeclaredType struct(String name, Map<String, DeclaredType> fields, long bytesMin) {
        ImmutableMap<String, CelType> types = ImmutableMap.copyOf(Maps.transformValues(fields, DeclaredType::type));
        StructType type = StructType.create(name, types.keySet(), field -> Optional.ofNullable(types.get(field)));
        return new DeclaredType(type, 0, bytesMin, fields, null);
    }

    private static DeclaredType text(Schema schema) {
        return switch (schema.text("format")) {
            case "byte" -> scalar(SimpleType.BYTES, limit(schema, "maxLength", REQUEST_BYTES_MAX - 2), 2);
            case "duration" -> scalar(SimpleType.DURATION, TIME_LENGTH_MAX, 3);
            case "date" -> scalar(SimpleType.TIMESTAMP, DATE_LENGTH, DATE_LENGTH);
            case "date-time" -> scalar(SimpleType.TIMESTAMP, TIME_LENGTH_MAX, 21);
            default -> scalar(SimpleType.STRING, textBytesMax(schema), 2);
        };
    }

    private static long textBytesMax(Schema schema) {
        if (schema.keyword("maxLength") != null) {
            return SizeRange.product(limit(schema, "maxLength", 0), CHARACTER_BYTES_MAX);
        }
        long longest = 0;
        for (JsonNode value : schema.source().path("enum")) {
            longest = Math.max(longest, value.asText().length());
        }
        return longest > 0 && !schema.isIntOrString() ? longest : REQUEST_BYTES_MAX - 2;
    }

    private static long limit(Schema schema, String keyword, long otherwise) {
        JsonNode declared = schema.keyword(keyword);
        return declared == null ? otherwise : Math.max(0, declared.asLong());
    }

    /** How often a value of this type can be in one object where nothing else limits that. */
    long occurrencesMax() {
        return REQUEST_BYTES_MAX / (bytesMin + 1);
    }

    /** All types with fields, for a compiler. */
    CelTypeProvider provider() {
        Map<String, CelType> named = new HashMap<>();
        collect(named);
        return new Provider(ImmutableMap.copyOf(named));
    }

    private record Provider(ImmutableMap<String, CelType> named) implements CelTypeProvider {
        @Override
        public ImmutableCollection<CelType> types() {
            return named.values();
        }

        @Override
        public Optional<CelType> findType(String name) {
            return Optional.ofNullable(named.get(name));
        }
    }

    private void collect(Map<String, CelType> named) {
        List<DeclaredType> inside = new ArrayList<>(fields.values());
        if (element != null) {
            inside.add(element);
        }
        if (type instanceof StructType) {
            named.put(type.name(), type);
        }
        inside.forEach(declared -> declared.collect(named));
    }
}
