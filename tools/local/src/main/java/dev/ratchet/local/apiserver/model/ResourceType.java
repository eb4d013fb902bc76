/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.model;

import dev.ratchet.local.apiserver.schema.Schema;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One kind in one version, as discovery shows it and as requests reach it. Versions of one kind share
 * {@link #storageKey}, and so their objects.
 *
 * @param verbs what may be done with it, in the words of discovery
 * @param subresources such as {@code status} and {@code scale}
 * @param custom defined by a CustomResourceDefinition: no strategic merge, pruned and validated by its own schema
 * @param renames fields at the top whose name in this version differs from the stored one: name here → stored name
 */
public record ResourceType(
        String group,
        String version,
        String kind,
        String plural,
        String singular,
        List<String> shortNames,
        List<String> categories,
        boolean namespaced,
        Set<String> verbs,
        Set<String> subresources,
        @Nullable ScalePaths scale,
        List<PrinterColumn> columns,
        Schema schema,
        boolean custom,
        String storageKey,
        Map<String, String> renames) {

    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Plural and group, as messages name a kind: {@code pods}, {@code computeclusters.ratchet.dev}. */
    public String resource() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    public boolean has(String subresource) {
        return subresources.contains(subresource);
    }

    public boolean is(String otherGroup, String otherPlural) {
        return group.equals(otherGroup) && plural.equals(otherPlural);
    }
}
