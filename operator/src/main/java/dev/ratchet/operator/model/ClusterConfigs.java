/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.ClientAccessSpec;
import dev.ratchet.crds.cluster.FoundationDbStore;
import dev.ratchet.crds.cluster.SlotScope;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Owns {@code cluster.json}, what every process of a cluster reads and follows. */
public final class ClusterConfigs {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private ClusterConfigs() {}

    /**
     * The ConfigMap, or none while the address of the embedded store is not known.
     *
     * @param storeAddress cluster IP of the store's service
     * @param circuit as {@link CircuitConfigs#member} makes it; empty while the workers are told of none
     */
    public static Optional<ConfigMap> of(
            Target target, Optional<String> storeAddress, Optional<Map<String, Object>> circuit) {
        return store(target, storeAddress).map(store -> {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("cluster", target.name());
            document.put("namespace", target.namespace());
            document.put("clients", clients(target));
            Map<String, String> roles = roles(target);
            if (!roles.isEmpty()) {
                document.put("roles", roles);
            }
            document.put("slots", slots(target, SlotScope.WORKER));
            Map<String, Integer> hostSlots = slots(target, SlotScope.HOST);
            if (!hostSlots.isEmpty()) {
                document.put("hostSlots", hostSlots);
            }
            Optional.ofNullable(target.spec().workers.sessions).ifPresent(count -> document.put("sessions", count));
            if (target.spec().workers.storage != null) {
                document.put("volumes", true);
            }
            document.put("store", store);
            circuit.ifPresent(member -> document.put("circuit", member));
            return new ConfigMapBuilder()
                    .withMetadata(target.metadata(Names.config(target.name()), target.labels()))
                    .addToData(Names.CONFIG_KEY, write(document))
                    .build();
        });
    }

    private static Map<String, Integer> slots(Target target, SlotScope scope) {
        Map<String, Integer> slots = new TreeMap<>();
        target.spec().workers.slots.stream()
                .filter(slot -> slot.scope == scope)
                .forEach(slot -> slots.put(slot.name, slot.count));
        return slots;
    }

    /** The clients that workers admit, whatever certificates others still hold. */
    private static List<String> clients(Target target) {
        return Stream.concat(
                        target.spec().access.defaultClient
                                ? Stream.of(CertificateSecrets.DEFAULT_CLIENT)
                                : Stream.<String>empty(),
                        target.spec().access.clients.stream().map(client -> client.name))
                .distinct()
                .sorted()
                .toList();
    }

    /** What those clients may do that may not do everything. */
    private static Map<String, String> roles(Target target) {
        Map<String, String> roles = new TreeMap<>();
        for (ClientAccessSpec client : target.spec().access.clients) {
            switch (client.role) {
                case ADMIN -> {}
                case SUBMIT -> roles.put(client.name, "Submit");
                case READ -> roles.put(client.name, "Read");
            }
        }
        return roles;
    }

    private static Optional<Map<String, Object>> store(Target target, Optional<String> storeAddress) {
        Map<String, Object> store = new LinkedHashMap<>();
        FoundationDbStore foundation = target.spec().store.foundationDB;
        if (foundation == null) {
            return storeAddress.map(address -> {
                store.put("type", "Embedded");
                store.put("address", Addresses.of(address, Ports.STORE));
                store.put("subspace", target.subspace());
                return store;
            });
        }
        store.put("type", "FoundationDB");
        store.put("clusterFile", FoundationDbParts.CLUSTER_FILE);
        store.put("subspace", target.subspace());
        if (!foundation.tlsSecretName.isEmpty()) {
            store.put("tlsDir", FoundationDbParts.TLS_DIRECTORY);
        }
        return Optional.of(store);
    }

    private static String write(Map<String, Object> document) {
        try {
            return MAPPER.writeValueAsString(document);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a map of texts can not be written as JSON", e);
        }
    }
}
