/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.settle;

import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.futures.v1.Requirements;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Finds another worker for what must not be tried again where it was. What it knows may be old; that is harmless. */
public final class AntiAffinity {

    private final Liveness liveness;
    private final RandomGenerator random;

    public AntiAffinity(Liveness liveness, RandomGenerator random) {
        this.liveness = liveness;
        this.random = random;
    }

    /** A healthy worker that is large enough and none of those to be avoided, if there is one. */
    Optional<String> choose(Requirements requirements, Collection<String> avoided) {
        List<Member> candidates = liveness.latest().stream()
                .filter(member -> member.state() == WorkerState.HEALTHY
                        && !member.ended()
                        && !liveness.isDead(member.seat(), member.incarnation())
                        && !avoided.contains(member.seat())
                        && Capacity.of(member).fits(requirements))
                .toList();
        return candidates.isEmpty()
                ? Optional.empty()
                : Optional.of(candidates.get(random.nextInt(candidates.size())).seat());
    }
}
