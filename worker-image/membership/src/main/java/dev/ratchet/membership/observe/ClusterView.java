/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.observe;

import dev.ratchet.membership.Member;
import dev.ratchet.protocol.membership.v1.CoordinatorRecord;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The membership at one version of the store.
 *
 * @param members all seats ever taken, by name
 * @param coordinator the highest term and who holds it; term 0 before the first
 * @param membersVersion grows with each change of a member's record, of the layout and of the wanted drains
 * @param outgoing seats that are to drain, or that an upgrade which is under way replaces later
 */
public record ClusterView(
        List<Member> members, CoordinatorRecord coordinator, long membersVersion, Set<String> outgoing) {

    /** What is known before the first read. */
    public static final ClusterView EMPTY =
            new ClusterView(List.of(), CoordinatorRecord.getDefaultInstance(), -1, Set.of());

    public ClusterView {
        members = List.copyOf(members);
        outgoing = Set.copyOf(outgoing);
    }

    /** The seat of this name, if it was ever taken. */
    public Optional<Member> member(String seat) {
        return members.stream().filter(member -> member.seat().equals(seat)).findFirst();
    }
}
