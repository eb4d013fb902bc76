/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import dev.ratchet.membership.Member;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import java.util.Map;
import java.util.TreeMap;

/**
 * What sessions may require of a worker beside slots. It is constant for the life of the process.
 *
 * @param version release of Ratchet that it runs
 * @param memberLabels those of the member, some of which are about the resources that tasks require
 */
public record WorkerTraits(String version, Map<String, String> memberLabels) {

    /** How labels that a worker was given begin among those of the member. */
    private static final String PREFIX = "label/";

    static final WorkerTraits NONE = new WorkerTraits("", Map.of());

    /** What a member has said of itself when it took its seat. */
    static WorkerTraits of(Member member) {
        return new WorkerTraits(member.version(), member.labels());
    }

    /** What {@link #of} reads, for the description of a worker that was given these labels. */
    public static Map<String, String> described(Map<String, String> labels) {
        Map<String, String> described = new TreeMap<>();
        labels.forEach((key, value) -> described.put(PREFIX + key, value));
        return described;
    }

    /** The labels that the worker was given. */
    Map<String, String> labels() {
        Map<String, String> labels = new TreeMap<>();
        memberLabels.forEach((key, value) -> {
            if (key.startsWith(PREFIX)) {
                labels.put(key.substring(PREFIX.length()), value);
            }
        });
        return labels;
    }

    /** Whether a session that asks for this may be here. */
    boolean meet(SlotDemand demand) {
        return (demand.getVersion().isEmpty() || demand.getVersion().equals(version))
                && demand.getWorkerLabelsMap().entrySet().stream()
                        .allMatch(label -> label.getValue().equals(memberLabels.get(PREFIX + label.getKey())));
    }
}
