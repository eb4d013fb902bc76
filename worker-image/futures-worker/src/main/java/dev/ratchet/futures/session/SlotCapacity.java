/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import dev.ratchet.membership.Member;
import dev.ratchet.membership.SlotFigures;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How many slots of each resource a worker has. May change at any time: fewer take nothing from whoever has one, and
 * are granted to nobody until so many are free.
 */
public final class SlotCapacity {

    /** The resource of sessions that name none. No user's name, which has letters, digits and hyphens. */
    public static final String DEFAULT_RESOURCE = "_session";

    /** Sessions of a worker that name no resource. */
    public static final int DEFAULT_SESSIONS = 1_000;

    /** Names that a worker has slots of at most, so that a heartbeat carries them all. */
    public static final int NAMES_MAX = 16;

    /** Most slots of one resource. */
    public static final int COUNT_MAX = 100_000;

    private volatile Offer offer;

    /**
     * What there is.
     *
     * @param counts by resource, those of hosts among them
     * @param ofHosts resources whose slots all workers of a host share
     */
    record Offer(Map<String, Integer> counts, Set<String> ofHosts) {}

    /**
     * What a worker has at first.
     *
     * @param slots by resource
     * @param sessions that name no resource
     */
    public SlotCapacity(Map<String, Integer> slots, int sessions) {
        this(slots, Map.of(), sessions);
    }

    /**
     * What a worker has at first.
     *
     * @param slots by resource
     * @param hostSlots by resource, those that all workers of its host share
     * @param sessions that name no resource
     */
    public SlotCapacity(Map<String, Integer> slots, Map<String, Integer> hostSlots, int sessions) {
        offer = checked(slots, hostSlots, sessions);
    }

    /** As many sessions as there are by default, and no named slots. */
    public static SlotCapacity standard() {
        return new SlotCapacity(Map.of(), DEFAULT_SESSIONS);
    }

    /** Says that there are so many from now on. */
    public void change(Map<String, Integer> slots, Map<String, Integer> hostSlots, int sessions) {
        offer = checked(slots, hostSlots, sessions);
    }

    private static Offer checked(Map<String, Integer> slots, Map<String, Integer> hostSlots, int sessions) {
        Map<String, Integer> all = new TreeMap<>(slots);
        all.putAll(hostSlots);
        if (all.size() < slots.size() + hostSlots.size()) {
            throw new IllegalArgumentException(
                    "A slot is of a worker or of a host, not both: slots=" + slots + " hostSlots=" + hostSlots);
        }
        all.put(DEFAULT_RESOURCE, sessions);
        if (all.size() > NAMES_MAX + 1 || all.values().stream().anyMatch(count -> count < 0 || count > COUNT_MAX)) {
            throw new IllegalArgumentException("A worker has slots of at most " + NAMES_MAX + " names, 0 to "
                    + COUNT_MAX + " of each and as many sessions, not slots=" + slots + " hostSlots=" + hostSlots
                    + " sessions="
                    + sessions);
        }
        return new Offer(Map.copyOf(all), Set.copyOf(hostSlots.keySet()));
    }

    Offer offer() {
        return offer;
    }

    /** By resource. */
    public Map<String, Integer> counts() {
        return offer.counts();
    }

    /**
     * What others read of a worker: all, what is free of it, and who waits. Fewer than none are free once it shrank; a
     * name that it does not have is told with no slots for as long as a session holds one or waits for one, of the
     * latter at most {@value #NAMES_MAX}.
     */
    static Map<String, Long> published(
            Map<String, Integer> counts, Map<String, Integer> held, Map<String, Integer> waiting) {
        Map<String, Long> published = new HashMap<>();
        Set<String> resources = new TreeSet<>(counts.keySet());
        resources.addAll(held.keySet());
        new TreeSet<>(waiting.keySet())
                .stream()
                        .filter(resource -> !resources.contains(resource))
                        .limit(NAMES_MAX)
                        .toList()
                        .forEach(resources::add);
        resources.forEach(resource -> {
            long count = counts.getOrDefault(resource, 0);
            published.put(SlotFigures.CAPACITY + resource, count);
            published.put(SlotFigures.FREE + resource, count - held.getOrDefault(resource, 0));
            published.put(SlotFigures.WAITING + resource, (long) waiting.getOrDefault(resource, 0));
        });
        return published;
    }

    /** Whether a worker has said what it has. */
    static boolean isTold(Member member) {
        return member.freeResources().containsKey(SlotFigures.CAPACITY + DEFAULT_RESOURCE);
    }

    /** Whether a worker has enough for a session, free or not. */
    static boolean fits(Member member, SlotDemand demand) {
        return has(member, demand, SlotFigures.CAPACITY);
    }

    /** For how many such sessions there was enough free at the last heartbeat of a worker. */
    static long free(Member member, SlotDemand demand) {
        return has(member, demand, SlotFigures.FREE)
                ? demand.getSlotsMap().entrySet().stream()
                        .mapToLong(one -> member.freeResources().getOrDefault(SlotFigures.FREE + one.getKey(), 0L)
                                / one.getValue())
                        .min()
                        .orElse(0)
                : 0;
    }

    private static boolean has(Member member, SlotDemand demand, String prefix) {
        return WorkerTraits.of(member).meet(demand)
                && demand.getSlotsMap().entrySet().stream()
                        .allMatch(one ->
                                member.freeResources().getOrDefault(prefix + one.getKey(), 0L) >= one.getValue());
    }

    /** The most that one worker has of a resource. */
    static long most(Iterable<Member> members, String resource) {
        long most = 0;
        for (Member member : members) {
            most = Math.max(most, member.freeResources().getOrDefault(SlotFigures.CAPACITY + resource, 0L));
        }
        return most;
    }
}
