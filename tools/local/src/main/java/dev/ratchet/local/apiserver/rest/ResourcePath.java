/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.rest;

import dev.ratchet.local.apiserver.model.ApiException;
import dev.ratchet.local.apiserver.model.ResourceType;
import dev.ratchet.local.apiserver.registry.ResourceRegistry;
import java.util.List;

/**
 * What a path below {@code /api/v1} or {@code /apis/<group>/<version>} names. Empty text stands for what it does not
 * name.
 *
 * @param namespace empty for kinds without one, and for lists over all
 */
record ResourcePath(ResourceType type, String namespace, String name, String subresource) {

    /**
     * Reads what follows the version in a path.
     *
     * @throws ApiException 404 when there is no such kind
     */
    static ResourcePath of(ResourceRegistry registry, String group, String version, List<String> rest) {
        boolean isScoped = rest.size() > 2 && rest.get(0).equals("namespaces") && !isNamespaceSubresource(rest);
        String namespace = isScoped ? rest.get(1) : "";
        List<String> names = isScoped ? rest.subList(2, rest.size()) : rest;
        if (names.isEmpty() || names.size() > 3) {
            throw ApiException.noSuchPath();
        }
        ResourceType type = registry.find(group, version, names.get(0)).orElseThrow(ApiException::noSuchPath);
        if (type.namespaced() != isScoped && (isScoped || names.size() > 1)) {
            throw ApiException.noSuchPath();
        }
        return new ResourcePath(
                type, namespace, names.size() > 1 ? names.get(1) : "", names.size() > 2 ? names.get(2) : "");
    }

    private static boolean isNamespaceSubresource(List<String> rest) {
        return rest.size() == 3 && (rest.get(2).equals("status") || rest.get(2).equals("finalize"));
    }
}
