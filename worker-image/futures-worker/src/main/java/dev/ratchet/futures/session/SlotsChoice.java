/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import dev.ratchet.environment.Environment;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Which worker is asked for the slots of a session: one at random, each as often as it had such slots free at its last
 * heartbeat. One that an upgrade replaces soon would have to wait for the session, and is asked where no other has such
 * slots free. Safe for use by several threads.
 */
final class SlotsChoice {

    /** Of sessions that are asked for together, one worker gets this part of what it has free, or one. */
    private static final int SHARES = 16;

    private final Liveness liveness;
    private final Environment environment;
    private final Predicate<Member> isSilent;

    /** @param isSilent who does not answer, and is asked only where nobody else has such slots */
    SlotsChoice(Liveness liveness, Environment environment, Predicate<Member> isSilent) {
        this.liveness = liveness;
        this.environment = environment;
        this.isSilent = isSilent;
    }

    List<Member> present() {
        return liveness.latest().stream()
                .filter(member -> member.isPresent() && !member.ended())
                .toList();
    }

    /** The worker that is to look: one that had such slots free as far as is known, else one that has them. */
    Optional<String> choose(SlotDemand demand, List<Member> present) {
        return chosen(demand, present).map(Member::seat);
    }

    private Optional<Member> chosen(SlotDemand demand, List<Member> present) {
        List<Member> healthy = healthy(demand, present);
        List<Member> answering =
                healthy.stream().filter(member -> !isSilent.test(member)).toList();
        Set<String> outgoing = liveness.outgoing();
        List<Member> staying = answering.stream()
                .filter(member -> !outgoing.contains(member.seat()))
                .toList();
        ToLongFunction<Member> free = member -> SlotCapacity.free(member, demand);
        return one(staying, free).or(() -> one(answering, free)).or(() -> one(healthy, member -> 1L));
    }

    /** Another worker than the one that had none, if one had such slots free as far as is known. */
    Optional<String> free(SlotDemand demand, Optional<String> full) {
        return one(
                        healthy(demand, present()).stream()
                                .filter(member -> !full.equals(Optional.of(member.seat())))
                                .toList(),
                        member -> SlotCapacity.free(member, demand))
                .map(Member::seat);
    }

    private static List<Member> healthy(SlotDemand demand, List<Member> present) {
        return present.stream()
                .filter(member -> member.state() == WorkerState.HEALTHY && SlotCapacity.fits(member, demand))
                .toList();
    }

    /** One of them at random, each as often as it has of something. */
    private Optional<Member> one(List<Member> members, ToLongFunction<Member> weight) {
        long sum = members.stream().mapToLong(weight).sum();
        if (sum == 0) {
            return Optional.empty();
        }
        long drawn = environment.random().nextLong(sum);
        for (Member member : members) {
            drawn -= weight.applyAsLong(member);
            if (drawn < 0) {
                return Optional.of(member);
            }
        }
        throw new IllegalStateException("More was drawn than there is");
    }

    /**
     * Chooses for sessions that are asked for together: those alike go to one worker as long as they take a small part
     * of what it has free, so that they share its transaction. Not safe for use by several threads.
     */
    final class Together {

        private final List<Member> present = SlotsChoice.this.present();
        private final Map<SlotDemand, Run> runs = new HashMap<>();

        private record Run(String seat, long left) {}

        List<Member> present() {
            return present;
        }

        Optional<String> choose(SlotDemand demand) {
            Run run = runs.get(demand);
            if (run == null || run.left() == 0) {
                Optional<Member> drawn = chosen(demand, present);
                if (drawn.isEmpty()) {
                    return Optional.empty();
                }
                Member member = drawn.get();
                run = new Run(member.seat(), Math.max(1, SlotCapacity.free(member, demand) / SHARES));
            }
            runs.put(demand, new Run(run.seat(), run.left() - 1));
            return Optional.of(run.seat());
        }
    }
}
