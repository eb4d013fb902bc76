/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.membership.Member;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.membership.v1.BeatRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a key is worth that was copied from a worker. */
class PeerAddressesTest {

    private static final Identity WORKER = new Identity("team-a", "orders", Kind.WORKER, "orders-w-1");
    private static final InetSocketAddress POD = new InetSocketAddress("10.1.0.7", 41_000);
    private static final InetSocketAddress ELSEWHERE = new InetSocketAddress("10.1.0.99", 41_000);

    private List<Member> members = List.of(member("10.1.0.7:7400", WorkerState.HEALTHY));
    private final PeerAddresses addresses = new PeerAddresses(() -> members);

    private static Member member(String address, WorkerState state) {
        return StoredMembers.member(
                WORKER.name(),
                MemberRecord.newBuilder()
                        .setIncarnation(1)
                        .setState(StoredMembers.stored(state))
                        .setAddress(address)
                        .build(),
                BeatRecord.getDefaultInstance());
    }

    @Test
    void aWorkerIsAdmittedFromItsAddressAlone() {
        assertThat(addresses.refusal(WORKER, POD)).isNull();
        assertThat(addresses.refusal(WORKER, ELSEWHERE))
                .isEqualTo("The seat orders-w-1 serves at 10.1.0.7, and this call comes from 10.1.0.99");
    }

    @Test
    void afterItsEndItIsNotAdmittedFromAnywhere() {
        assertThat(addresses.refusal(WORKER, POD)).isNull();
        members = List.of(member("10.1.0.7:7400", WorkerState.MUST_DIE));
        assertThat(addresses.refusal(WORKER, POD)).contains("Nobody has the seat");
        members = List.of(member("[fd00::7]:7400", WorkerState.HEALTHY));
        assertThat(addresses.refusal(WORKER, POD)).contains("serves at fd00:");
        assertThat(addresses.refusal(WORKER, new InetSocketAddress("fd00::7", 41_000)))
                .isNull();
    }

    @Test
    void othersAndNewSeatsAndLoopbackAreNotJudgedHere() {
        Identity client = new Identity("team-a", "orders", Kind.CLIENT, "orders-w-1");
        assertThat(addresses.refusal(client, ELSEWHERE)).isNull();
        Identity newcomer = new Identity("team-a", "orders", Kind.WORKER, "orders-w-2");
        assertThat(addresses.refusal(newcomer, ELSEWHERE)).isNull();
        assertThat(addresses.refusal(WORKER, new InetSocketAddress(InetAddress.getLoopbackAddress(), 41_000)))
                .isNull();
    }
}
