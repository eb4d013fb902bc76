/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.dataflow.http.ClientAccess;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import java.util.Optional;

/** Who may use the circuit over HTTP with a certificate: the clients of this cluster, each as its role allows. */
record CircuitAccess(AllowedClients clients, Identity self) implements ClientAccess {

    @Override
    public Optional<String> refusal(Identity caller, boolean writes) {
        if (caller.kind() != Kind.CLIENT
                || !caller.cluster().equals(self.cluster())
                || !caller.namespace().equals(self.namespace())) {
            return Optional.of(caller + " is no client of the cluster " + self.namespace() + "/" + self.cluster());
        }
        if (!clients.admits(caller)) {
            return Optional.of(caller + " is not among the clients of this cluster (spec.access.clients)");
        }
        ClientRole role = clients.role(caller);
        return writes && role == ClientRole.READ
                ? Optional.of(caller + " has the role " + role.word()
                        + ", which does not allow to add rows (spec.access.clients[].role)")
                : Optional.empty();
    }
}
