/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.controllers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.ApiException;
import dev.ratchet.local.apiserver.model.Metadata;
import dev.ratchet.local.apiserver.model.ResourceType;
import dev.ratchet.local.apiserver.objects.Objects;
import dev.ratchet.local.apiserver.objects.WriteOptions;
import dev.ratchet.local.apiserver.registry.ResourceRegistry;
import dev.ratchet.local.apiserver.store.StoredChange;

/** Gives each new namespace the ServiceAccount {@code default}, which pods without another one name. */
final class DefaultServiceAccounts {

    private final ResourceType type;
    private final Objects objects;

    DefaultServiceAccounts(ResourceRegistry registry, Objects objects) {
        this.type = registry.builtin("", "serviceaccounts");
        this.objects = objects;
    }

    void onChange(StoredChange change) {
        if (!change.storageKey().equals("/namespaces") || change.before() != null) {
            return;
        }
        ObjectNode account = Json.object();
        account.putObject("metadata").put("name", "default");
        try {
            objects.create(type, Metadata.name(change.last()), account, WriteOptions.internal());
        } catch (ApiException e) {
            // Somebody made it already, or the namespace is going again: both are fine.
            if (e.code() != 409 && e.code() != 403 && e.code() != 404) {
                throw e;
            }
        }
    }
}
