/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.ApiException;
import dev.ratchet.local.apiserver.model.ResourceType;
import dev.ratchet.local.apiserver.registry.ResourceRegistry;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The discovery documents, made of the registry each time they are asked for. */
final class Discovery {

    private final ResourceRegistry registry;
    private final String address;

    Discovery(ResourceRegistry registry, String address) {
        this.registry = registry;
        this.address = address;
    }

    ObjectNode coreVersions() {
        ObjectNode versions = Json.object();
        versions.put("kind", "APIVersions");
        versions.putArray("versions").add("v1");
        versions.putArray("serverAddressByClientCIDRs")
                .addObject()
                .put("clientCIDR", "0.0.0.0/0")
                .put("serverAddress", address);
        return versions;
    }

    ObjectNode groups() {
        ObjectNode list = Json.object();
        list.put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = list.putArray("groups");
        versionsByGroup().forEach((group, versions) -> {
            if (!group.isEmpty()) {
                groups.add(group(group, versions));
            }
        });
        return list;
    }

    /**
     * One group and its versions.
     *
     * @throws ApiException 404 when there is none of that name
     */
    ObjectNode group(String name) {
        Set<String> versions = versionsByGroup().get(name);
        if (versions == null || name.isEmpty()) {
            throw ApiException.noSuchPath();
        }
        return group(name, versions).put("kind", "APIGroup").put("apiVersion", "v1");
    }

    private static ObjectNode group(String name, Set<String> versions) {
        ObjectNode group = Json.object();
        group.put("name", name);
        ArrayNode list = group.putArray("versions");
        versions.forEach(version ->
                list.addObject().put("groupVersion", name + "/" + version).put("version", version));
        group.set("preferredVersion", list.get(0));
        return group;
    }

    /**
     * The kinds of one version of a group.
     *
     * @throws ApiException 404 when there is no such version
     */
    ObjectNode resources(String groupName, String version) {
        List<ResourceType> types = registry.all().stream()
                .filter(type -> type.group().equals(groupName) && type.version().equals(version))
                .toList();
        if (types.isEmpty()) {
            throw ApiException.noSuchPath();
        }
        ObjectNode list = Json.object();
        list.put("kind", "APIResourceList")
                .put("apiVersion", "v1")
                .put("groupVersion", types.get(0).apiVersion());
        ArrayNode resources = list.putArray("resources");
        for (ResourceType type : types) {
            resources.add(resource(type));
            type.subresources().forEach(subresource -> resources.add(subresource(type, subresource)));
        }
        return list;
    }

    private static ObjectNode resource(ResourceType type) {
        ObjectNode resource = Json.object();
        resource.put("name", type.plural())
                .put("singularName", type.singular())
                .put("namespaced", type.namespaced())
                .put("kind", type.kind());
        addAll(resource.putArray("verbs"), type.verbs());
        if (!type.shortNames().isEmpty()) {
            addAll(resource.putArray("shortNames"), type.shortNames());
        }
        if (!type.categories().isEmpty()) {
            addAll(resource.putArray("categories"), type.categories());
        }
        resource.put("storageVersionHash", Integer.toHexString(type.storageKey().hashCode()));
        return resource;
    }

    private static ObjectNode subresource(ResourceType type, String name) {
        ObjectNode resource = Json.object();
        resource.put("name", type.plural() + "/" + name).put("singularName", "").put("namespaced", type.namespaced());
        switch (name) {
            case "scale" ->
                resource.put("group", "autoscaling").put("version", "v1").put("kind", "Scale");
            case "eviction" ->
                resource.put("group", "policy").put("version", "v1").put("kind", "Eviction");
            case "binding" -> resource.put("kind", "Binding");
            default -> resource.put("kind", type.kind());
        }
        List<String> verbs =
                switch (name) {
                    case "log" -> List.of("get");
                    case "eviction", "binding" -> List.of("create");
                    case "finalize" -> List.of("update");
                    default -> List.of("get", "patch", "update");
                };
        addAll(resource.putArray("verbs"), verbs);
        return resource;
    }

    private static void addAll(ArrayNode array, Iterable<String> names) {
        names.forEach(array::add);
    }

    private Map<String, Set<String>> versionsByGroup() {
        Map<String, Set<String>> groups = new LinkedHashMap<>();
        for (ResourceType type : registry.all()) {
            groups.computeIfAbsent(type.group(), key -> new LinkedHashSet<>()).add(type.version());
        }
        return groups;
    }
}
