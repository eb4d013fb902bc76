/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.world;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * One thread, virtual time, and events in an order that the seed decides where time does not: two runs of one seed are
 * equal. Everything that is executed or scheduled arrives up to a millisecond late, so that seeds differ in who comes
 * first; with a {@link Chooser} it is asked instead, among all events of that millisecond. Not safe for use by several
 * threads; several worlds may run beside each other.
 */
public final class VirtualWorld {

    /** Decides who comes first where a seed would. */
    @FunctionalInterface
    public interface Chooser {
        /** Which of {@code count} events that may come next does: 0 to {@code count} - 1. */
        int next(int count);
    }

    private static final long JITTER_NANOS = 1_000_000;
    private static final long START_NANOS = 1_000_000_000_000L;
    private static final int NOTES_MAX = 2_000;

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final List<Consumer<VirtualProcess>> afterEach = new ArrayList<>();
    private final Deque<Note> notes = new ArrayDeque<>();
    private final SplittableRandom random;
    private final Chooser chooser;
    private final boolean chosen;
    private final long seed;
    private long nanos = START_NANOS;
    private long number;
    private long steps;
    private long digest = 17;
    private int strayPerMille;

    private record Note(long nanos, String happened) {}

    /** Compared more often than anything else is done: by no chain of comparators. */
    private record Event(long nanos, long number, VirtualProcess owner, Runnable task) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(nanos, other.nanos);
            return byTime == 0 ? Long.compare(number, other.number) : byTime;
        }
    }

    public VirtualWorld(long seed) {
        this(seed, count -> 0, false);
    }

    /** A world in which {@code chooser} orders what happens in the same millisecond, instead of the seed. */
    public VirtualWorld(long seed, Chooser chooser) {
        this(seed, chooser, true);
    }

    private VirtualWorld(long seed, Chooser chooser, boolean chosen) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.chooser = chooser;
        this.chosen = chosen;
    }

    public long nanos() {
        return nanos;
    }

    /** Milliseconds since the world began. */
    public long millis() {
        return (nanos - START_NANOS) / 1_000_000;
    }

    public long seed() {
        return seed;
    }

    /** The one source of chance. */
    public SplittableRandom random() {
        return random;
    }

    /** How many events there were. */
    public long steps() {
        return steps;
    }

    /** Tells runs apart: equal for two runs with equal events in equal order at equal times. */
    public long digest() {
        return digest;
    }

    /** Is run after every event, with the process whose event it was: no other process can have changed. */
    public void afterEach(Consumer<VirtualProcess> check) {
        afterEach.add(check);
    }

    /** Remembers what people want to read about this run; the newest 2,000. */
    public void note(String happened) {
        notes.addLast(new Note(nanos, happened));
        if (notes.size() > NOTES_MAX) {
            notes.removeFirst();
        }
    }

    /** What was noted, oldest first, a line each. */
    public List<String> notes() {
        return notes.stream()
                .map(note -> String.format("%9.3f s  %s", (note.nanos() - START_NANOS) / 1e9, note.happened()))
                .toList();
    }

    /** So many calls of a thousand that frail processes make throw what nobody expects, from now on. */
    public void stray(int perMille) {
        strayPerMille = perMille;
    }

    boolean isStray() {
        return strayPerMille > 0 && random.nextInt(1_000) < strayPerMille;
    }

    /** Has {@code owner} run {@code task} after at least so long. */
    public void at(long delayNanos, VirtualProcess owner, Runnable task) {
        number++;
        long jitter = chosen ? 0 : random.nextLong(JITTER_NANOS);
        events.add(new Event(nanos + Math.max(0, delayNanos) + jitter, number, owner, task));
    }

    /** Runs for so long. */
    public void run(long millis) {
        long end = nanos + millis * 1_000_000;
        while (!events.isEmpty() && events.peek().nanos() <= end) {
            step();
        }
        nanos = Math.max(nanos, end);
    }

    /** Runs until {@code condition} holds, and returns after how many milliseconds it did. */
    public long until(String what, long withinMillis, BooleanSupplier condition) {
        long start = nanos;
        long end = nanos + withinMillis * 1_000_000;
        while (!condition.getAsBoolean()) {
            if (events.isEmpty() || events.peek().nanos() > end) {
                throw new AssertionError("Not within " + withinMillis + " ms: " + what + " (seed " + seed + ")");
            }
            step();
        }
        return (nanos - start) / 1_000_000;
    }

    private void step() {
        Event event = chosen ? choose() : events.remove();
        nanos = Math.max(nanos, event.nanos());
        steps++;
        digest = digest * 1_000_003 + event.number() * 31 + event.nanos();
        event.owner().receive(event.task());
        for (Consumer<VirtualProcess> check : afterEach) {
            check.accept(event.owner());
        }
    }

    /** One of the events that may come next: those within a millisecond of the first, of each process its first. */
    private Event choose() {
        List<Event> others = new ArrayList<>();
        List<Event> candidates = new ArrayList<>();
        long horizon = events.element().nanos() + JITTER_NANOS;
        while (!events.isEmpty() && events.element().nanos() < horizon) {
            Event event = events.remove();
            boolean first = candidates.stream().noneMatch(candidate -> candidate.owner() == event.owner());
            (first ? candidates : others).add(event);
        }
        Event next = candidates.remove(candidates.size() == 1 ? 0 : chooser.next(candidates.size()));
        events.addAll(candidates);
        events.addAll(others);
        return next;
    }
}
