/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.schema;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;

/**
 * One object inside a custom resource, compared and printed by its JSON. Empty strings, lists and maps are not written,
 * so that server-side apply owns only what was set; unknown members are skipped, so that an older operator can still
 * read the resources of a newer one.
 *
 * <p>Mutable and not thread safe. Objects that come from an informer are shared: copy before changing.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public abstract class Part {
    private static final ObjectMapper JSON = new ObjectMapper();

    private JsonNode json() {
        return JSON.valueToTree(this);
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof Part part
                && part.getClass() == getClass()
                && part.json().equals(json());
    }

    @Override
    public final int hashCode() {
        return json().hashCode();
    }

    @Override
    public final String toString() {
        return json().toString();
    }
}
