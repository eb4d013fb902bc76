/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What {@code cluster.json} says: which cluster a process belongs to and where its store is. Fields that are not known
 * are ignored, so that an older process reads a newer operator's file.
 */
public record ClusterConfiguration(String cluster, String namespace, StoreConfiguration store) {

    /** Name of the file in the configuration directory. */
    public static final String FILE = "cluster.json";

    private static final int LONGEST_BYTES = 1 << 20;
    private static final JsonMapper MAPPER = new JsonMapper();

    /**
     * Reads the file in {@code directory}.
     *
     * @throws IllegalArgumentException naming the file and what is wrong with it
     */
    public static ClusterConfiguration read(Path directory) {
        Path file = directory.resolve(FILE);
        try {
            if (Files.size(file) > LONGEST_BYTES) {
                throw new IllegalArgumentException(file + " is longer than " + LONGEST_BYTES + " bytes");
            }
            return new Reader(file, MAPPER.readTree(Files.readString(file))).configuration();
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(file + " is not JSON: " + malformed.getOriginalMessage(), malformed);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "The cluster's configuration can not be read: " + unreadable, unreadable);
        }
    }

    private record Reader(Path file, JsonNode document) {

        ClusterConfiguration configuration() {
            String cluster = text(document, "cluster");
            JsonNode store = document.path("store");
            if (!store.isObject()) {
                throw new IllegalArgumentException(file + ": \"store\" is missing");
            }
            return new ClusterConfiguration(cluster, text(document, "namespace"), store(store, cluster));
        }

        private StoreConfiguration store(JsonNode store, String cluster) {
            String type = text(store, "type");
            String subspace = text(store, "subspace");
            return switch (type) {
                case "Embedded" ->
                    new StoreConfiguration.Embedded(text(store, "address"), cluster + "-store-0", subspace);
                case "FoundationDB" ->
                    new StoreConfiguration.FoundationDb(
                            Path.of(text(store, "clusterFile")),
                            store.hasNonNull("tlsDir") ? Path.of(text(store, "tlsDir")) : null,
                            store.hasNonNull("externalClientDir") ? Path.of(text(store, "externalClientDir")) : null,
                            subspace);
                default ->
                    throw new IllegalArgumentException(
                            file + ": store.type is '" + type + "', known are Embedded and FoundationDB");
            };
        }

        private String text(JsonNode node, String name) {
            JsonNode value = node.path(name);
            if (!value.isTextual() || value.textValue().isBlank()) {
                throw new IllegalArgumentException(file + ": \"" + name + "\" must be a text that is not empty");
            }
            return value.textValue();
        }
    }
}
