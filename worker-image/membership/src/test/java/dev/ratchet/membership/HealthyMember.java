/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.membership.v1.BeatRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.membership.v1.State;
import java.util.Map;

/** Members in their first incarnation, healthy, with four execution slots; a test says what else matters to it. */
public final class HealthyMember {

    private static final MemberRecord RECORD = MemberRecord.newBuilder()
            .setIncarnation(1)
            .setState(State.STATE_HEALTHY)
            .setHost("node-1")
            .setAddress("10.0.0.1:7400")
            .setThreads(4)
            .setObserverTtlMillis(15_000)
            .build();

    private HealthyMember() {}

    public static Member withLabels(String seat, Map<String, String> labels) {
        MemberRecord record = RECORD.toBuilder().putAllLabels(labels).build();
        return StoredMembers.member(seat, record, BeatRecord.getDefaultInstance());
    }

    /** One whose beat of this number tells how much it has free. */
    public static Member withFree(String seat, long beat, Map<String, Long> freeResources) {
        BeatRecord told = BeatRecord.newBuilder()
                .setIncarnation(RECORD.getIncarnation())
                .setBeat(beat)
                .putAllFreeResources(freeResources)
                .build();
        return StoredMembers.member(seat, RECORD, told);
    }
}
