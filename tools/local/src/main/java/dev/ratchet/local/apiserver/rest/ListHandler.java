/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.http.HttpRequest;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.ApiException;
import dev.ratchet.local.apiserver.model.Metadata;
import dev.ratchet.local.apiserver.model.RequestBody;
import dev.ratchet.local.apiserver.store.ApiObjects;
import dev.ratchet.local.apiserver.store.ObjectListing;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Lists, whole or by pages. All pages of one list are of one version: what a first page leaves is kept, for the newest
 * 64 lists; who comes back later gets 410 and lists again.
 */
final class ListHandler {

    private static final int MAXIMUM_KEPT = 64;

    private record Rest(ObjectListing listing) {}

    private final ApiObjects store;
    private final Presenter presenter;
    private final Map<Long, Rest> kept = new LinkedHashMap<>();
    private long nextId = 1;

    ListHandler(ApiObjects store, Presenter presenter) {
        this.store = store;
        this.presenter = presenter;
    }

    ObjectNode list(ResourcePath path, HttpRequest request, Form form) {
        String token = request.parameter("continue");
        long limit = number(request, "limit");
        long id = 0;
        int from = 0;
        ObjectListing listing;
        if (token.isEmpty()) {
            checkVersion(request);
            listing = selected(path, request);
        } else {
            JsonNode position = position(token);
            id = position.path("id").asLong();
            from = position.path("from").asInt();
            listing = remembered(id);
        }
        List<ObjectNode> all = listing.objects();
        int to = limit <= 0 ? all.size() : (int) Math.min(all.size(), from + limit);
        ObjectNode result = presenter.many(path.type(), all.subList(Math.min(from, to), to), request, form);
        ObjectNode metadata = Json.ensure(result, "metadata");
        metadata.put("resourceVersion", Long.toString(listing.version()));
        if (to < all.size()) {
            long kept = id == 0 ? remember(listing) : id;
            ObjectNode next = Json.object().put("id", kept).put("from", (long) to);
            metadata.put("continue", Base64.getUrlEncoder().withoutPadding().encodeToString(Json.bytes(next)));
            metadata.put("remainingItemCount", (long) all.size() - to);
        }
        return result;
    }

    private ObjectListing selected(ResourcePath path, HttpRequest request) {
        Selection selection = Selection.of(path, request);
        ObjectListing stored = store.list(path.type().storageKey(), path.namespace());
        List<ObjectNode> objects = new ArrayList<>(stored.objects().size());
        for (ObjectNode object : stored.objects()) {
            ObjectNode found = selection.select(object);
            if (found != null) {
                objects.add(found);
            }
        }
        return new ObjectListing(objects, stored.version());
    }

    private void checkVersion(HttpRequest request) {
        long wanted = number(request, "resourceVersion");
        long current = store.version();
        if (wanted > current) {
            throw ApiException.versionFromTheFuture(wanted, current);
        }
        if (wanted > 0
                && wanted != current
                && request.parameter("resourceVersionMatch").equals("Exact")) {
            throw ApiException.expired(
                    "the version " + wanted + " is no longer kept, only the newest (" + current + ") is");
        }
    }

    private synchronized long remember(ObjectListing listing) {
        long id = nextId++;
        kept.put(id, new Rest(listing));
        if (kept.size() > MAXIMUM_KEPT) {
            kept.remove(kept.keySet().iterator().next());
        }
        return id;
    }

    private synchronized ObjectListing remembered(long id) {
        Rest rest = kept.get(id);
        if (rest == null) {
            throw ApiException.expired(
                    "The provided continue parameter is too old to display a consistent list result. You must "
                            + "start a new list"
                            + " without the continue parameter.");
        }
        return rest.listing();
    }

    private static JsonNode position(String token) {
        try {
            return RequestBody.parse(Base64.getUrlDecoder().decode(token));
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest("continue key is not valid: " + token);
        }
    }

    static long number(HttpRequest request, String parameter) {
        String text = request.parameter(parameter);
        try {
            return text.isEmpty() ? 0 : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw ApiException.badRequest("parameter " + parameter + " is \"" + text + "\", which is no whole number");
        }
    }

    /** The names that a delete of a collection is about. */
    List<String[]> names(ResourcePath path, HttpRequest request) {
        List<String[]> names = new ArrayList<>();
        for (ObjectNode object : selected(path, request).objects()) {
            names.add(new String[] {Metadata.namespace(object), Metadata.name(object)});
        }
        return names;
    }
}
