/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.http.HttpRequest;
import dev.ratchet.local.apiserver.model.FieldSelector;
import dev.ratchet.local.apiserver.model.LabelSelector;
import dev.ratchet.local.apiserver.model.Metadata;
import dev.ratchet.local.apiserver.model.ResourceType;
import dev.ratchet.local.apiserver.objects.Versions;
import org.jspecify.annotations.Nullable;

/** Which objects of a kind a list or a watch is about. */
record Selection(ResourceType type, String namespace, String name, LabelSelector labels, FieldSelector fields) {

    static Selection of(ResourcePath path, HttpRequest request) {
        return new Selection(
                path.type(),
                path.namespace(),
                path.name(),
                LabelSelector.parse(request.parameter("labelSelector")),
                FieldSelector.parse(request.parameter("fieldSelector"), path.type()));
    }

    /** {@code stored} in the version asked for when it is selected, otherwise null. */
    @Nullable
    ObjectNode select(@Nullable ObjectNode stored) {
        if (stored == null
                || (!namespace.isEmpty() && !namespace.equals(Metadata.namespace(stored)))
                || (!name.isEmpty() && !name.equals(Metadata.name(stored)))
                || (!labels.isEverything() && !labels.matches(Metadata.labels(stored)))) {
            return null;
        }
        ObjectNode object = Versions.fromStored(type, stored);
        return fields.isEverything() || fields.matches(object) ? object : null;
    }
}
