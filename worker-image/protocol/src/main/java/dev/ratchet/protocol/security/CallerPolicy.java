/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import dev.ratchet.protocol.security.Identity.Kind;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which kinds of caller may use which service of one cluster. A service that is not named is closed to everybody, and
 * so is every service to callers of another cluster, even where one authority signs for both.
 *
 * @param namespace namespace of the cluster that callers must belong to
 * @param cluster its name
 * @param kindsByService full gRPC service name, such as {@code ratchet.store.v1.Store}, to the kinds that may call it
 */
public record CallerPolicy(String namespace, String cluster, Map<String, Set<Kind>> kindsByService) {

    public CallerPolicy {
        kindsByService = Map.copyOf(kindsByService);
    }

    /** True if {@code caller} may call methods of {@code service}. */
    public boolean allows(String service, Identity caller) {
        return caller.namespace().equals(namespace)
                && caller.cluster().equals(cluster)
                && kindsByService.getOrDefault(service, Set.of()).contains(caller.kind());
    }

    /** What a caller is told that {@link #allows} does not let through: who may. */
    String refusal(String service, Identity caller) {
        String who = kindsByService.getOrDefault(service, Set.of()).stream()
                .map(Kind::word)
                .sorted()
                .collect(Collectors.joining(" or "));
        return caller + " may not call " + service + " of cluster " + namespace + "/" + cluster
                + (who.isEmpty() ? "" : ". Use a credential of kind " + who + " of that cluster");
    }
}
