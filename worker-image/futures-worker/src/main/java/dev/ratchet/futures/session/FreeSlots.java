/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The slots of a worker that nobody has, by number: lower ones are taken first. Pure bookkeeping, not thread-safe. */
final class FreeSlots {

    private final Map<String, Integer> counts;
    private final String version;
    private final Map<String, TreeSet<Integer>> free = new HashMap<>();

    /**
     * @param ofHost the slots of the own host that are taken, by whomever
     * @param version of this worker
     */
    FreeSlots(
            SlotCapacity.Offer offer, Iterable<SessionRecord> held, Map<String, Set<Integer>> ofHost, String version) {
        this.counts = offer.counts();
        this.version = version;
        Map<String, Set<Integer>> taken = new HashMap<>();
        for (SessionRecord session : held) {
            session.getSlotsList().stream()
                    .filter(slot -> slot.getHost().isEmpty())
                    .forEach(slot -> taken.computeIfAbsent(slot.getResource(), unused -> new TreeSet<>())
                            .add(slot.getNumber()));
        }
        offer.ofHosts().forEach(resource -> taken.put(resource, ofHost.getOrDefault(resource, Set.of())));
        counts.forEach((resource, count) -> {
            Set<Integer> others = taken.getOrDefault(resource, Set.of());
            int left = count - others.size();
            TreeSet<Integer> numbers = new TreeSet<>();
            for (int number = 0; numbers.size() < left; number++) {
                if (!others.contains(number)) {
                    numbers.add(number);
                }
            }
            free.put(resource, numbers);
        });
    }

    /** Whether there is enough once others let it go. */
    boolean couldSuffice(SlotDemand demand) {
        return isOfVersion(demand)
                && demand.getSlotsMap().entrySet().stream()
                        .allMatch(one -> counts.getOrDefault(one.getKey(), 0) >= one.getValue());
    }

    private boolean isOfVersion(SlotDemand demand) {
        return demand.getVersion().isEmpty() || demand.getVersion().equals(version);
    }

    boolean suffices(SlotDemand demand) {
        return isOfVersion(demand)
                && demand.getSlotsMap().entrySet().stream()
                        .allMatch(one ->
                                free.getOrDefault(one.getKey(), new TreeSet<>()).size() >= one.getValue());
    }

    /** Takes what a session needs, which suffices. */
    Map<String, Set<Integer>> take(SlotDemand demand) {
        Map<String, Set<Integer>> taken = new TreeMap<>();
        new TreeMap<>(demand.getSlotsMap()).forEach((resource, count) -> {
            Set<Integer> numbers = new TreeSet<>();
            TreeSet<Integer> some = free.getOrDefault(resource, new TreeSet<>());
            while (numbers.size() < count) {
                numbers.add(some.removeFirst());
            }
            taken.put(resource, numbers);
        });
        return taken;
    }
}
