/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.http.HttpRequest;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.Metadata;
import dev.ratchet.local.apiserver.model.ResourceType;
import dev.ratchet.local.apiserver.table.TablePrinter;
import java.util.List;

/** Puts objects into the form that a request asks for. */
final class Presenter {

    private final TablePrinter printer = new TablePrinter();

    ObjectNode one(ResourceType type, ObjectNode object, HttpRequest request, Form form) {
        return switch (form) {
            case FULL -> object;
            case METADATA -> TablePrinter.partial(object);
            case TABLE -> {
                ObjectNode table = printer.print(type, List.of(object), include(request));
                Json.ensure(table, "metadata").put("resourceVersion", Metadata.resourceVersion(object));
                yield table;
            }
        };
    }

    /** A list whose {@code metadata} the caller fills. */
    ObjectNode many(ResourceType type, List<ObjectNode> objects, HttpRequest request, Form form) {
        if (form == Form.TABLE) {
            return printer.print(type, objects, include(request));
        }
        ObjectNode list = Json.object();
        boolean isFull = form == Form.FULL;
        list.put("kind", isFull ? type.kind() + "List" : "PartialObjectMetadataList");
        list.put("apiVersion", isFull ? type.apiVersion() : "meta.k8s.io/v1");
        list.putObject("metadata");
        ArrayNode items = list.putArray("items");
        objects.forEach(object -> items.add(isFull ? object : TablePrinter.partial(object)));
        return list;
    }

    private static String include(HttpRequest request) {
        String wanted = request.parameter("includeObject");
        return wanted.isEmpty() ? "Metadata" : wanted;
    }
}
