/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.controllers;

import dev.ratchet.local.apiserver.model.ApiException;
import dev.ratchet.local.apiserver.model.Metadata;
import dev.ratchet.local.apiserver.model.ResourceType;
import dev.ratchet.local.apiserver.objects.DeleteOptions;
import dev.ratchet.local.apiserver.objects.Objects;
import dev.ratchet.local.apiserver.registry.ResourceRegistry;
import dev.ratchet.local.apiserver.store.StoredChange;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/**
 * Keeps the newest 2,000 Events. The real server forgets them after an hour; here memory is what runs out, not time.
 */
final class EventLimit {

    static final int MAXIMUM_EVENTS = 2_000;

    private record Event(String namespace, String name, String uid) {}

    private final ResourceType type;
    private final Objects objects;
    private final Deque<Event> oldestFirst = new ArrayDeque<>();

    EventLimit(ResourceRegistry registry, Objects objects) {
        this.type = registry.builtin("", "events");
        this.objects = objects;
    }

    void onChange(StoredChange change) {
        if (!change.storageKey().equals(type.storageKey()) || change.before() != null) {
            return;
        }
        oldestFirst.addLast(new Event(
                Metadata.namespace(change.last()), Metadata.name(change.last()), Metadata.uid(change.last())));
        while (oldestFirst.size() > MAXIMUM_EVENTS) {
            forget(oldestFirst.removeFirst());
        }
    }

    private void forget(Event event) {
        try {
            DeleteOptions options = new DeleteOptions(false, OptionalLong.empty(), "Background", event.uid(), "");
            objects.delete(type, event.namespace(), event.name(), options);
        } catch (ApiException e) {
            // Deleted by somebody else, or another one has its name by now.
            if (e.code() != 404 && e.code() != 409) {
                throw e;
            }
        }
    }
}
