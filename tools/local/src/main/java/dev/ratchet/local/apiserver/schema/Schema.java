/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One node of a structural schema in OpenAPI v3 form with the Kubernetes extensions, read on demand from its JSON,
 * which never changes. References are followed through the definitions that it was made with, so schemas may be
 * recursive.
 */
public final class Schema {

    private static final Schema ANY =
            new Schema(Json.object().put("x-kubernetes-preserve-unknown-fields", true), Map.of());

    private final ObjectNode source;
    private final Map<String, ObjectNode> definitions;
    private final Map<String, Schema> children = new ConcurrentHashMap<>();
    private volatile @Nullable Pattern pattern;
    private volatile @Nullable List<CelRule> rules;

    private Schema(ObjectNode source, Map<String, ObjectNode> definitions) {
        this.source = source;
        this.definitions = definitions;
    }

    /** The schema of anything at all. */
    public static Schema any() {
        return ANY;
    }

    /** A schema whose references of the form {@code #/…/name} are looked up in {@code definitions}. */
    public static Schema of(JsonNode source, Map<String, ObjectNode> definitions) {
        if (!(source instanceof ObjectNode object)) {
            return ANY;
        }
        String reference = object.path("$ref").asText("");
        if (reference.isEmpty()) {
            return new Schema(object, definitions);
        }
        ObjectNode target = definitions.get(reference.substring(reference.lastIndexOf('/') + 1));
        return target == null ? ANY : new Schema(target, definitions);
    }

    public ObjectNode source() {
        return source;
    }

    public String type() {
        return text("type");
    }

    public String text(String keyword) {
        return source.path(keyword).asText("");
    }

    public boolean flag(String keyword) {
        return source.path(keyword).asBoolean(false);
    }

    public @Nullable JsonNode keyword(String keyword) {
        return Json.at(source, keyword);
    }

    public boolean isIntOrString() {
        return flag("x-kubernetes-int-or-string");
    }

    public boolean keepsUnknownFields() {
        return flag("x-kubernetes-preserve-unknown-fields");
    }

    public @Nullable JsonNode defaultValue() {
        return source.get("default");
    }

    public boolean hasProperties() {
        return source.path("properties").isObject();
    }

    public Set<String> propertyNames() {
        Set<String> names = new TreeSet<>();
        source.path("properties").fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** The schema of a declared property, or null. */
    public @Nullable Schema property(String name) {
        JsonNode found = source.path("properties").get(name);
        return found == null ? null : children.computeIfAbsent("." + name, key -> of(found, definitions));
    }

    /** The schema of the values of a map, or null where the object is no map. */
    public @Nullable Schema additional() {
        JsonNode found = source.get("additionalProperties");
        if (found == null || found.isBoolean()) {
            return found != null && found.asBoolean() ? ANY : null;
        }
        return children.computeIfAbsent("*", key -> of(found, definitions));
    }

    /** The schema of a field, declared or of a map; null where the field is unknown here. */
    public @Nullable Schema field(String name) {
        Schema declared = property(name);
        return declared != null ? declared : additional();
    }

    /** As {@link #field}, and anything goes where the field is unknown. */
    public Schema fieldOrAny(String name) {
        Schema found = field(name);
        return found == null ? ANY : found;
    }

    public @Nullable Schema items() {
        JsonNode found = source.get("items");
        return found == null ? null : children.computeIfAbsent("[]", key -> of(found, definitions));
    }

    public Schema itemsOrAny() {
        Schema found = items();
        return found == null ? ANY : found;
    }

    /** The alternatives under {@code allOf}, {@code anyOf} or {@code oneOf}. */
    public List<Schema> alternatives(String keyword) {
        List<Schema> found = new ArrayList<>();
        source.path(keyword).forEach(node -> found.add(of(node, definitions)));
        return found;
    }

    public @Nullable Schema not() {
        JsonNode found = source.get("not");
        return found == null ? null : of(found, definitions);
    }

    public List<String> required() {
        List<String> names = new ArrayList<>();
        source.path("required").forEach(name -> names.add(name.asText()));
        return names;
    }

    /** {@code map}, {@code set} or {@code atomic}. */
    public String listType() {
        String declared = text("x-kubernetes-list-type");
        return declared.isEmpty() ? "atomic" : declared;
    }

    public List<String> listMapKeys() {
        List<String> keys = new ArrayList<>();
        source.path("x-kubernetes-list-map-keys").forEach(key -> keys.add(key.asText()));
        return keys;
    }

    public boolean isAtomicMap() {
        return text("x-kubernetes-map-type").equals("atomic");
    }

    /** The compiled form of {@code pattern}; null where there is none. */
    public @Nullable Pattern pattern() {
        Pattern known = pattern;
        if (known == null && source.has("pattern")) {
            known = Pattern.compile(text("pattern"));
            pattern = known;
        }
        return known;
    }

    /** The rules of {@code x-kubernetes-validations} at this node, compiled when they are first wanted. */
    List<CelRule> rules() {
        List<CelRule> known = rules;
        if (known == null) {
            List<CelRule> made = new ArrayList<>();
            source.path("x-kubernetes-validations").forEach(rule -> made.add(new CelRule(rule)));
            known = List.copyOf(made);
            rules = known;
        }
        return known;
    }
}
