/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.ListReply;
import dev.ratchet.protocol.client.v1.ListRequest;
import java.util.HashSet;
import java.util.Set;

/** Listings to their end, apart from tests whose code goes to workers, where the types of these are not known. */
final class Listings {

    private Listings() {}

    static Set<FutureId> childrenOf(TestCluster cluster, FutureId parent) {
        return all(cluster, ListRequest.newBuilder().setParent(Ids.bytes(parent)));
    }

    static Set<FutureId> all(TestCluster cluster, ListRequest.Builder request) {
        Set<FutureId> found = new HashSet<>();
        try (GatewayConnection connection = cluster.connection()) {
            do {
                ListReply page =
                        GatewayConnection.await(connection.call((stub, answer) -> stub.list(request.build(), answer)));
                page.getFuturesList().forEach(future -> assertThat(found.add(Ids.of(future.getId())))
                        .isTrue());
                request.setAfter(page.getNext());
            } while (!request.getAfter().isEmpty());
        }
        return found;
    }
}
