/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The slots of a worker that nobody has, by number: lower ones are taken first. Pure bookkeeping, not thread-safe. */
final class FreeSlots {

    private final Map<String, Integer> counts;
    private final WorkerTraits traits;
    private final Map<String, BitSet> taken = new HashMap<>();

    /**
     * @param ofHost the slots of the own host that are taken, by whomever
     * @param traits of this worker
     */
    FreeSlots(
            SlotCapacity.Offer offer,
            Iterable<SessionRecord> held,
            Map<String, Set<Integer>> ofHost,
            WorkerTraits traits) {
        this.counts = offer.counts();
        this.traits = traits;
        counts.keySet().forEach(resource -> taken.put(resource, new BitSet()));
        for (SessionRecord session : held) {
            session.getSlotsList().stream()
                    .filter(slot -> !offer.ofHosts().contains(slot.getResource()))
                    .filter(slot -> slot.getHost().isEmpty())
                    .forEach(slot -> set(slot.getResource(), slot.getNumber()));
        }
        offer.ofHosts()
                .forEach(resource -> ofHost.getOrDefault(resource, Set.of()).forEach(number -> set(resource, number)));
    }

    /** Does not give what sessions have or had. */
    void holdBack(Iterable<SessionRecord> sessions) {
        sessions.forEach(session -> session.getSlotsList().forEach(slot -> set(slot.getResource(), slot.getNumber())));
    }

    private void set(String resource, int number) {
        taken.computeIfAbsent(resource, unused -> new BitSet()).set(number);
    }

    boolean suffices(SlotDemand demand) {
        return traits.meet(demand)
                && demand.getSlotsMap().entrySet().stream().allMatch(one -> free(one.getKey()) >= one.getValue());
    }

    private int free(String resource) {
        Integer count = counts.get(resource);
        return count == null
                ? 0
                : count - taken.getOrDefault(resource, new BitSet()).cardinality();
    }

    /** Takes what a session needs, which suffices. */
    Map<String, Set<Integer>> take(SlotDemand demand) {
        Map<String, Set<Integer>> numbers = new TreeMap<>();
        new TreeMap<>(demand.getSlotsMap()).forEach((resource, count) -> {
            BitSet others = taken.getOrDefault(resource, new BitSet());
            Set<Integer> own = new TreeSet<>();
            while (own.size() < count) {
                int number = others.nextClearBit(0);
                others.set(number);
                own.add(number);
            }
            numbers.put(resource, own);
        });
        return numbers;
    }
}
