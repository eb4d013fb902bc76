/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.crds.Names;
import dev.ratchet.operator.certificates.SecretKeys;
import dev.ratchet.protocol.security.Identity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Owns the Secrets that carry certificates, and the connection document that a client takes as it is. */
public final class CertificateSecrets {
    /** The client that every cluster has. */
    public static final String DEFAULT_CLIENT = "default";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private CertificateSecrets() {}

    /** Secret of the operator's own certificate, where cert-manager makes it. */
    public static String operator(String cluster) {
        return cluster + "-operator-tls";
    }

    /** Secret of a client's connection document, where cert-manager owns {@code clientSecret} itself. */
    public static String connection(String clientSecret) {
        return clientSecret + "-connection";
    }

    /** Whether these entries are all that a process needs. */
    public static boolean isComplete(Map<String, String> data) {
        return Stream.of(SecretKeys.CERTIFICATE, SecretKeys.KEY, SecretKeys.AUTHORITIES)
                .allMatch(key -> !data.getOrDefault(key, "").isBlank());
    }

    /** A Secret with {@code data}, which is not encoded. */
    public static Secret of(Target target, String name, Map<String, String> labels, Map<String, String> data) {
        Map<String, String> encoded = new LinkedHashMap<>();
        data.forEach((key, value) ->
                encoded.put(key, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))));
        return new SecretBuilder()
                .withMetadata(target.metadata(name, labels))
                .withType("Opaque")
                .withData(encoded)
                .build();
    }

    /** The decoded entries of a Secret; empty for none. */
    public static Map<String, String> data(@Nullable Secret secret) {
        Map<String, String> decoded = new LinkedHashMap<>();
        if (secret != null && secret.getData() != null) {
            secret.getData()
                    .forEach((key, value) ->
                            decoded.put(key, new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8)));
        }
        return decoded;
    }

    /**
     * {@code certificates} and the document that says where to connect with them.
     *
     * @param address cluster IP of the client service: works where there is no cluster DNS
     * @param circuitAddress cluster IP of the circuit's service; empty where there is no circuit
     */
    public static Map<String, String> withConnection(
            Target target, Map<String, String> certificates, String address, Optional<String> circuitAddress) {
        String service = Names.clientService(target.name());
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("cluster", target.name());
        document.put("namespace", target.namespace());
        document.put("authority", Identity.authority(service, target.namespace()));
        document.put("endpoints", endpoints(target, service, address, Ports.WORKER));
        circuitAddress.ifPresent(found -> document.put(
                "circuitEndpoints", endpoints(target, Names.circuitService(target.name()), found, Ports.CIRCUIT)));
        document.put("certificate", certificates.get(SecretKeys.CERTIFICATE));
        document.put("key", certificates.get(SecretKeys.KEY));
        document.put("authorities", certificates.get(SecretKeys.AUTHORITIES));
        Map<String, String> data = new LinkedHashMap<>(certificates);
        try {
            data.put(SecretKeys.CONNECTION, MAPPER.writeValueAsString(document));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a map of texts can not be written as JSON", e);
        }
        return data;
    }

    private static List<String> endpoints(Target target, String service, String address, int port) {
        return List.of(Addresses.of(service + "." + target.namespace() + ".svc", port), Addresses.of(address, port));
    }
}
