/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.ApiException;
import dev.ratchet.local.apiserver.model.Metadata;
import dev.ratchet.local.apiserver.store.StoredChange;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;

/**
 * Gives services addresses of 127.96.0.0/12, so that whoever forwards for them can listen there without any right. The
 * address follows from the environment, the namespace and the name, and moves on only when it is taken, so a service
 * made anew mostly gets its old one, and two environments on one machine keep out of each other's way.
 */
public final class ServiceAddresses {

    private static final long BASE = (127L << 24) | (96L << 16);
    private static final int SIZE = 1 << 20;

    private final Map<String, String> owners = new ConcurrentHashMap<>();
    private final String environment;

    /** @param environment what tells this environment from others on the machine */
    public ServiceAddresses(String environment) {
        this.environment = environment;
    }

    /** Sets {@code clusterIP} unless the service wants none or names one. */
    void assign(ObjectNode service) {
        ObjectNode spec = Json.ensure(service, "spec");
        fillPorts(spec);
        String type = spec.path("type").asText("ClusterIP");
        String wanted = spec.path("clusterIP").asText("");
        if (type.equals("ExternalName") || wanted.equals("None")) {
            if (wanted.equals("None")) {
                spec.putArray("clusterIPs").add("None");
            }
            return;
        }
        String address = wanted.isEmpty() ? free(service) : wanted;
        spec.put("clusterIP", address).putArray("clusterIPs").add(address);
        spec.putArray("ipFamilies").add("IPv4");
        spec.put("ipFamilyPolicy", "SingleStack");
        Json.ensure(service, "status").putObject("loadBalancer");
    }

    /** An update that says nothing of the address keeps it. */
    void keep(ObjectNode current, ObjectNode next) {
        ObjectNode spec = Json.ensure(next, "spec");
        fillPorts(spec);
        for (String field : new String[] {"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"}) {
            JsonNode old = current.path("spec").get(field);
            if (!spec.has(field) && old != null) {
                spec.set(field, old);
            }
        }
    }

    /** To be called on every write, so that addresses are free again when their service goes. */
    public void onChange(StoredChange change) {
        if (!change.storageKey().equals("/services")) {
            return;
        }
        String address = Json.textAt(change.last(), "spec", "clusterIP");
        if (change.after() == null) {
            owners.remove(address, owner(change.last()));
        } else if (!address.isEmpty() && !address.equals("None")) {
            owners.put(address, owner(change.last()));
        }
    }

    private String free(ObjectNode service) {
        CRC32 hash = new CRC32();
        hash.update((environment + "/" + owner(service)).getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < SIZE; i++) {
            // 0 and the last address stay free, as in any subnet.
            long number = BASE + 1 + (hash.getValue() + i) % (SIZE - 2);
            String address =
                    (number >> 24) + "." + ((number >> 16) & 255) + "." + ((number >> 8) & 255) + "." + (number & 255);
            String owner = owners.get(address);
            if (owner == null || Objects.equals(owner, owner(service))) {
                return address;
            }
        }
        throw ApiException.internal("all " + SIZE + " service addresses of 127.96.0.0/12 are taken; delete services");
    }

    private static String owner(ObjectNode service) {
        return Metadata.namespace(service) + "/" + Metadata.name(service);
    }

    private static void fillPorts(ObjectNode spec) {
        for (JsonNode node : spec.path("ports")) {
            if (node instanceof ObjectNode port && !port.has("targetPort") && port.has("port")) {
                port.set("targetPort", port.get("port"));
            }
        }
    }
}
