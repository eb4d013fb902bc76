/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.Session;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.protocol.sessions.v1.ListSessionsReply;
import dev.ratchet.protocol.sessions.v1.ListSessionsRequest;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import org.junit.jupiter.api.Test;

/** What any client is told of the sessions of others. Ships no tasks, whose class may not mention the protocol. */
class SessionListingTest extends SessionFixture {

    @Test
    void whoListsSessionsIsNotToldWhatSpeaksForTheirPrograms() throws Exception {
        try (Session session = ratchet.sessions().open(GPU);
                GatewayConnection stranger = cluster.connection()) {
            ListSessionsReply listed = GatewayConnection.await(stranger.<ListSessionsReply>call(
                    (stub, answer) -> stub.listSessions(ListSessionsRequest.getDefaultInstance(), answer)));
            assertThat(listed.getSessionsList()).singleElement().satisfies(described -> {
                SessionRecord record = described.getRecord();
                assertThat(record.getSeat()).isEqualTo(session.info().seat());
                assertThat(record.getOwnerSecret().isEmpty()).isTrue();
                assertThat(record.getUserSecret().isEmpty()).isTrue();
                assertThat(record.getOwner().isEmpty())
                        .as("the lease of its program, which anybody who knows its id could end")
                        .isTrue();
            });
        }
    }
}
