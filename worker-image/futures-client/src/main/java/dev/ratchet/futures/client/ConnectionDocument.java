/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.client.InvalidInputException;
import java.util.ArrayList;
import java.util.List;

/**
 * The connection document of a client: where the cluster is, and how to prove who one is.
 *
 * @param authority name that the workers prove to have
 * @param endpoints {@code host:port}, in the order to try
 * @param circuitEndpoints the same for the circuit over HTTPS; empty where the cluster has none
 * @param certificate PEM
 * @param key PEM, PKCS#8
 * @param authorities PEM
 */
public record ConnectionDocument(
        String cluster,
        String namespace,
        String authority,
        List<String> endpoints,
        List<String> circuitEndpoints,
        String certificate,
        String key,
        String authorities) {

    private static final int ENDPOINTS_MAX = 100;

    /** Reads a document. @throws InvalidInputException if the text is none; says what is wrong */
    public static ConnectionDocument parse(String text) {
        JsonNode root;
        try {
            root = new ObjectMapper().readTree(text);
        } catch (JsonProcessingException notJson) {
            throw new InvalidInputException(
                    "The connection document is not JSON: " + notJson.getOriginalMessage()
                            + ". Take the key 'connection' of the client's Secret as it is.",
                    notJson);
        }
        if (root == null || !root.isObject()) {
            throw new InvalidInputException(
                    "The connection document is not a JSON object. Take the key 'connection' of the client's Secret.");
        }
        List<String> endpoints = texts(root, "endpoints");
        if (endpoints.isEmpty()) {
            throw new InvalidInputException("The connection document must name 1 to " + ENDPOINTS_MAX + " endpoints");
        }
        return new ConnectionDocument(
                text(root, "cluster"),
                text(root, "namespace"),
                text(root, "authority"),
                endpoints,
                texts(root, "circuitEndpoints"),
                text(root, "certificate"),
                text(root, "key"),
                text(root, "authorities"));
    }

    /** What {@link #parse} reads, without what it did not know. */
    public JsonNode json() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("cluster", cluster).put("namespace", namespace).put("authority", authority);
        ArrayNode addresses = root.putArray("endpoints");
        endpoints.forEach(endpoint -> addresses.add(endpoint));
        if (!circuitEndpoints.isEmpty()) {
            ArrayNode ofCircuit = root.putArray("circuitEndpoints");
            circuitEndpoints.forEach(endpoint -> ofCircuit.add(endpoint));
        }
        return root.put("certificate", certificate).put("key", key).put("authorities", authorities);
    }

    /** The same with these addresses of the circuit. */
    public ConnectionDocument withCircuitEndpoints(List<String> hostsAndPorts) {
        return new ConnectionDocument(
                cluster, namespace, authority, endpoints, List.copyOf(hostsAndPorts), certificate, key, authorities);
    }

    private static List<String> texts(JsonNode root, String field) {
        List<String> texts = new ArrayList<>();
        root.path(field).forEach(text -> texts.add(text.asText()));
        if (texts.size() > ENDPOINTS_MAX) {
            throw new InvalidInputException("The connection document names " + texts.size() + " " + field
                    + ", the most are " + ENDPOINTS_MAX + ".");
        }
        return List.copyOf(texts);
    }

    private static String text(JsonNode root, String field) {
        String value = root.path(field).asText("");
        if (value.isEmpty()) {
            throw new InvalidInputException("The connection document lacks '" + field
                    + "'. Take the key 'connection' of the client's Secret as it is.");
        }
        return value;
    }

    @Override
    public String toString() {
        return "connection to " + namespace + "/" + cluster + " at " + endpoints;
    }
}
