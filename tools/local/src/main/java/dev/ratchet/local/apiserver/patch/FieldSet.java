/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.RequestBody;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A set of fields of one object, in the tree form of {@code fieldsV1}: {@code f:name} for a field, {@code k:{…}} for an
 * item by its keys, {@code v:…} for a member of a set. A node is in the set itself, or leads to others, or both.
 * Immutable once shared: the operations give new sets.
 */
public final class FieldSet {

    private static final String SELF = ".";

    private final TreeMap<String, FieldSet> children = new TreeMap<>();
    private boolean member;

    /** The set that holds only the place it stands at. */
    static FieldSet leaf() {
        FieldSet set = new FieldSet();
        set.member = true;
        return set;
    }

    void addSelf() {
        member = true;
    }

    /** Puts {@code child} under {@code element} unless it is empty. */
    void put(String element, FieldSet child) {
        if (!child.isEmpty()) {
            children.put(element, child);
        }
    }

    public boolean isMember() {
        return member;
    }

    public boolean isEmpty() {
        return !member && children.isEmpty();
    }

    public @Nullable FieldSet child(String element) {
        return children.get(element);
    }

    public Map<String, FieldSet> children() {
        return children;
    }

    public FieldSet union(FieldSet other) {
        FieldSet result = new FieldSet();
        result.member = member || other.member;
        result.children.putAll(children);
        other.children.forEach((element, child) -> result.children.merge(element, child, FieldSet::union));
        return result;
    }

    public FieldSet minus(FieldSet other) {
        FieldSet result = new FieldSet();
        result.member = member && !other.member;
        children.forEach((element, child) -> {
            FieldSet taken = other.children.get(element);
            result.put(element, taken == null ? child : child.minus(taken));
        });
        return result;
    }

    public FieldSet intersection(FieldSet other) {
        FieldSet result = new FieldSet();
        result.member = member && other.member;
        children.forEach((element, child) -> {
            FieldSet shared = other.children.get(element);
            if (shared != null) {
                result.put(element, child.intersection(shared));
            }
        });
        return result;
    }

    /** Without one child and all below it. */
    public FieldSet without(String element) {
        FieldSet result = new FieldSet();
        result.member = member;
        result.children.putAll(children);
        result.children.remove(element);
        return result;
    }

    /** Only one child and what is below it. */
    public FieldSet only(String element) {
        FieldSet result = new FieldSet();
        FieldSet child = children.get(element);
        if (child != null) {
            result.children.put(element, child);
        }
        return result;
    }

    /** With one child replaced. */
    public FieldSet with(String element, FieldSet child) {
        FieldSet result = without(element);
        result.put(element, child);
        return result;
    }

    /** Every member as a path in the form of messages, such as {@code .spec.containers[name="worker"].image}. */
    public List<String> paths() {
        List<String> found = new ArrayList<>();
        collect("", found);
        return found;
    }

    private void collect(String path, List<String> found) {
        if (member) {
            found.add(path);
        }
        children.forEach((element, child) -> child.collect(path + readable(element), found));
    }

    private static String readable(String element) {
        String body = element.substring(2);
        if (element.startsWith("f:")) {
            return "." + body;
        }
        if (element.startsWith("k:")) {
            List<String> keys = new ArrayList<>();
            RequestBody.parse(body.getBytes(StandardCharsets.UTF_8))
                    .properties()
                    .forEach(entry -> keys.add(entry.getKey() + "=" + entry.getValue()));
            return "[" + String.join(",", keys) + "]";
        }
        return "[" + (element.startsWith("v:") ? "=" : "") + body + "]";
    }

    public ObjectNode toJson() {
        ObjectNode node = Json.object();
        if (member && !children.isEmpty()) {
            node.putObject(SELF);
        }
        children.forEach((element, child) -> node.set(element, child.toJson()));
        return node;
    }

    public static FieldSet fromJson(@Nullable JsonNode node) {
        FieldSet set = new FieldSet();
        if (node == null) {
            return set;
        }
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            if (entry.getKey().equals(SELF)) {
                set.member = true;
            } else {
                FieldSet child = fromJson(entry.getValue());
                if (child.isEmpty()) {
                    child.member = true;
                }
                set.children.put(entry.getKey(), child);
            }
        }
        return set;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FieldSet set && member == set.member && children.equals(set.children);
    }

    @Override
    public int hashCode() {
        return children.hashCode() * 31 + Boolean.hashCode(member);
    }

    @Override
    public String toString() {
        return toJson().toString();
    }
}
