/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.model.Metadata;
import dev.ratchet.local.apiserver.model.ResourceType;
import dev.ratchet.local.apiserver.schema.ModelSchemas;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All kinds that are served now. Readers see a consistent list; it changes only when a CustomResourceDefinition does.
 * The built-in part never changes.
 */
public final class ResourceRegistry {

    private final ModelSchemas schemas = new ModelSchemas();
    private final List<ResourceType> builtin = BuiltinTypes.load(schemas);
    private final Map<String, List<ResourceType>> custom = new LinkedHashMap<>();
    private volatile List<ResourceType> all = List.copyOf(builtin);
    private final AtomicLong generation = new AtomicLong();

    /** The kinds in the order of discovery: core first. */
    public List<ResourceType> all() {
        return all;
    }

    public ModelSchemas schemas() {
        return schemas;
    }

    /** Grows with every change of {@link #all()}: what was derived from an older one is stale. */
    public long generation() {
        return generation.get();
    }

    public Optional<ResourceType> find(String group, String version, String plural) {
        return all.stream()
                .filter(type -> type.is(group, plural) && type.version().equals(version))
                .findFirst();
    }

    /** Built-in kind by its plural; it must exist. */
    public ResourceType builtin(String group, String plural) {
        return builtin.stream()
                .filter(type -> type.is(group, plural))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException("no built-in kind " + plural + " in group '" + group + "'"));
    }

    /** Serves what {@code definition} defines, in place of what a definition of that name defined before. */
    public synchronized void define(ObjectNode definition) {
        custom.put(Metadata.name(definition), CustomTypes.of(definition, schemas));
        publish();
    }

    /** Stops serving what the definition of that name defined. */
    public synchronized void undefine(String name) {
        custom.remove(name);
        publish();
    }

    private void publish() {
        List<ResourceType> types = new ArrayList<>(builtin);
        custom.values().forEach(types::addAll);
        all = List.copyOf(types);
        generation.incrementAndGet();
    }
}
