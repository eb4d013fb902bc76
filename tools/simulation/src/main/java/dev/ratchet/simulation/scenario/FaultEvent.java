/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * One thing that happens from outside. Each ends by itself, so that any of them can be left out of a scenario.
 *
 * @param atMillis when, since the scenario began
 * @param kind what
 * @param which seat, counted from 0; for SUBMIT and CANCEL the future, for what programs do its number
 * @param other another seat, where two are needed; for SUBMIT a former future it takes, or -1; for what programs do how
 *     many of it
 * @param millis how long it lasts
 */
public record FaultEvent(long atMillis, Kind kind, int which, int other, long millis) {

    /** Everything that can happen. */
    public enum Kind {
        SUBMIT_SMALL,
        SUBMIT_LARGE,
        /** A task whose large value must not be computed again. */
        SUBMIT_LARGE_ONCE,
        SUBMIT_FAILS_ONCE,
        SUBMIT_FAILS,
        /** A task that awaits what it submits. */
        SUBMIT_NESTED,
        /** A task that changes the store together with its result. */
        SUBMIT_COUNTS,
        CANCEL,
        /** A program maps elements, which travel in blocks. */
        MAP,
        MAP_FAILS_ONCE,
        /** A program submits what is kept as long as it lives. */
        HOLD,
        CANCEL_MAPPED,
        /** A program calls and reads an actor. */
        CALL_ACTOR,
        CALL_ACTOR_FAILS_ONCE,
        CALL_ACTOR_FAILS,
        /** It calls the actor, so that up to {@code which} calls run beside each other. */
        CALL_ACTOR_BESIDE,
        CALL_ACTOR_BESIDE_FAILS_ONCE,
        CANCEL_CALL,
        /** A program reads what a generator yields. */
        GENERATE,
        GENERATE_FAILS_ONCE,
        /** A program has a dataset grouped. */
        GROUP,
        KILL_PROGRAM,
        /** Another program calls and reads the actor, too. */
        OTHER_PROGRAM_CALLS,
        OTHER_PROGRAM_CALLS_FAIL_ONCE,
        /** It calls the actor, so that up to {@code which} calls run beside each other. */
        OTHER_PROGRAM_CALLS_BESIDE,
        OTHER_PROGRAM_CANCELS,
        KILL_OTHER_PROGRAM,
        /** A program takes values of short tasks before they are recorded. */
        SPECULATE,
        /** Values that differ from execution to execution. */
        SPECULATE_ON_VARYING,
        /** The process is killed and started again in its pod after {@code millis}. */
        KILL,
        /** The pod is gone and another one takes its seat, elsewhere. */
        REPLACE,
        /** Another pod for the seat while the former one runs on: what a forced deletion leaves. */
        SECOND,
        PAUSE,
        /** The machine sleeps: monotonic clocks stand still. */
        SLEEP,
        LEAVE,
        DRAIN,
        /** The process does not reach the store, the store does not reach it, or both: by {@code other}. */
        CUT_STORE,
        /** From one seat to another, one way. */
        CUT_PEER,
        SILENCE_PROBES,
        RESET_CALLS,
        CRASH_STORE,
        STORE_ERRORS,
        SLOW_STORE,
        /** The wall clock jumps an hour, and back after {@code millis}. */
        JUMP_CLOCK,
        /** The disk of a process changes what it holds. */
        DAMAGE_OBJECTS,
        /** Calls of libraries throw what nobody expects: {@code which} of 1,000. */
        STRAY,
        /** The seat is to park; its process is told to end soon, and another one begins in its pod. */
        REPLACE_IN_PLACE,
        /** A program submits {@code other} short tasks at once, beside whatever else happens. */
        FLOOD,
        /**
         * The client of a program is removed: of the first, the other one or, by {@code which}, the one that floods.
         */
        REMOVE_CLIENT
    }

    private static final List<Kind> FAULTS = List.of(
            Kind.CANCEL,
            Kind.KILL,
            Kind.KILL,
            Kind.REPLACE,
            Kind.SECOND,
            Kind.PAUSE,
            Kind.PAUSE,
            Kind.SLEEP,
            Kind.LEAVE,
            Kind.DRAIN,
            Kind.CUT_STORE,
            Kind.CUT_STORE,
            Kind.CUT_PEER,
            Kind.SILENCE_PROBES,
            Kind.RESET_CALLS,
            Kind.CRASH_STORE,
            Kind.STORE_ERRORS,
            Kind.STORE_ERRORS,
            Kind.SLOW_STORE,
            Kind.JUMP_CLOCK);

    private static final List<Kind> SUBMITS =
            List.of(Kind.SUBMIT_SMALL, Kind.SUBMIT_SMALL, Kind.SUBMIT_LARGE, Kind.SUBMIT_FAILS_ONCE, Kind.SUBMIT_FAILS);

    private static final List<Kind> ACTORS =
            List.of(Kind.CALL_ACTOR, Kind.CALL_ACTOR, Kind.CALL_ACTOR_FAILS_ONCE, Kind.CALL_ACTOR_FAILS);

    private static final List<Kind> CALLS_BESIDE =
            List.of(Kind.CALL_ACTOR, Kind.CALL_ACTOR_BESIDE, Kind.CALL_ACTOR_BESIDE, Kind.CALL_ACTOR_BESIDE_FAILS_ONCE);

    /** What calls the actor for the first program. */
    private static final Set<Kind> CALLS = EnumSet.of(
            Kind.CALL_ACTOR,
            Kind.CALL_ACTOR_FAILS_ONCE,
            Kind.CALL_ACTOR_FAILS,
            Kind.CALL_ACTOR_BESIDE,
            Kind.CALL_ACTOR_BESIDE_FAILS_ONCE);

    /** What scenarios did not have at first. */
    private static final Set<Kind> LATER_ADDITIONS = EnumSet.range(Kind.OTHER_PROGRAM_CALLS, Kind.SPECULATE_ON_VARYING);

    /** Time in which things happen; pauses and cuts may last up to three leases from there. */
    static final long LENGTH_MILLIS = 30_000;

    private static final int SUBMITS_MAX = 8;
    private static final int FAULTS_MAX = 10;
    private static final int ONCE_MAX = 4;
    private static final int IN_PLACE_MAX = 4;
    private static final long IN_PLACE_MILLIS = 6_000;
    private static final int FLOODS_MAX = 3;
    private static final int FLOOD_MIN = 100;
    private static final int FLOOD_MAX = 500;
    private static final int PROGRAMS = 3;
    private static final int NUMBERS_OF_ONCE = 100;
    private static final int MAPS_MAX = 2;
    private static final int COUNTING_MAX = 4;
    private static final int CALLING_MAX = 3;
    private static final int CALLS_MAX = 4;
    private static final int CONCURRENT_MAX = 4;
    private static final int ITEMS_MAX = 20;
    private static final int SPECULATIONS_MAX = 8;
    private static final int SPECULATED_MAX = 4;
    private static final int ELEMENTS_MAX = 40;
    private static final long FIRST_MILLIS = 1_500;
    private static final long LONGEST_MILLIS = 30_000;

    /** The scenario of a seed, in order of time. */
    static List<FaultEvent> of(SplittableRandom random, int seats) {
        List<FaultEvent> scenario = new ArrayList<>();
        int submits = 2 + random.nextInt(SUBMITS_MAX - 1);
        for (int i = 0; i < submits; i++) {
            Kind kind = SUBMITS.get(random.nextInt(SUBMITS.size()));
            int upstream = i > 0 && random.nextInt(3) == 0 ? random.nextInt(i) : -1;
            long runs = random.nextInt(4) == 0 ? random.nextLong(25_000) : random.nextLong(1_500);
            scenario.add(new FaultEvent(random.nextLong(LENGTH_MILLIS), kind, i, upstream, runs));
        }
        int faults = 2 + random.nextInt(FAULTS_MAX - 1);
        for (int i = 0; i < faults; i++) {
            Kind kind = FAULTS.get(random.nextInt(FAULTS.size()));
            long at = FIRST_MILLIS + random.nextLong(LENGTH_MILLIS - FIRST_MILLIS);
            int which = random.nextInt(kind == Kind.CANCEL ? submits : seats);
            scenario.add(new FaultEvent(at, kind, which, random.nextInt(seats), random.nextLong(LONGEST_MILLIS)));
        }
        if (random.nextInt(3) == 0) {
            scenario.add(new FaultEvent(
                    random.nextLong(LENGTH_MILLIS), Kind.SUBMIT_NESTED, submits, -1, random.nextLong(3_000)));
        }
        if (random.nextInt(2) == 0) {
            addProgram(scenario, random);
        }
        if (random.nextInt(3) == 0) {
            scenario.add(new FaultEvent(
                    FIRST_MILLIS + random.nextLong(LENGTH_MILLIS - FIRST_MILLIS),
                    Kind.DAMAGE_OBJECTS,
                    random.nextInt(seats),
                    -1,
                    0));
        }
        if (random.nextInt(4) == 0) {
            addCounting(scenario, random, submits + 1);
        }
        if (random.nextInt(3) == 0) {
            addCallsBeside(scenario, random);
        }
        addOtherProgram(scenario, random);
        addSpeculation(scenario, random, seats);
        scenario.sort(Comparator.comparingLong(FaultEvent::atMillis));
        return scenario;
    }

    /** Tasks whose large values must not be computed again, and tasks that need these. */
    static List<FaultEvent> once(SplittableRandom random) {
        List<FaultEvent> events = new ArrayList<>();
        int tasks = 1 + random.nextInt(ONCE_MAX);
        for (int i = 0; i < tasks; i++) {
            long at = random.nextLong(LENGTH_MILLIS);
            int number = NUMBERS_OF_ONCE + 2 * i;
            events.add(new FaultEvent(at, Kind.SUBMIT_LARGE_ONCE, number, -1, random.nextLong(1_500)));
            events.add(new FaultEvent(
                    at + random.nextLong(20_000), Kind.SUBMIT_SMALL, number + 1, number, random.nextLong(1_500)));
        }
        return events;
    }

    /** Processes that are replaced in place. */
    static List<FaultEvent> inPlace(SplittableRandom random, int seats) {
        List<FaultEvent> events = new ArrayList<>();
        int times = 1 + random.nextInt(IN_PLACE_MAX);
        for (int i = 0; i < times; i++) {
            long at = FIRST_MILLIS + random.nextLong(LENGTH_MILLIS - FIRST_MILLIS);
            events.add(new FaultEvent(
                    at, Kind.REPLACE_IN_PLACE, random.nextInt(seats), -1, random.nextLong(IN_PLACE_MILLIS)));
        }
        return events;
    }

    /** Programs that want far more than the others, and clients that are removed. */
    static List<FaultEvent> clients(SplittableRandom random) {
        List<FaultEvent> events = new ArrayList<>();
        int floods = 1 + random.nextInt(FLOODS_MAX);
        for (int i = 0; i < floods; i++) {
            int tasks = FLOOD_MIN + random.nextInt(FLOOD_MAX - FLOOD_MIN);
            events.add(new FaultEvent(random.nextLong(LENGTH_MILLIS), Kind.FLOOD, i, tasks, random.nextLong(6)));
        }
        for (int program = 0; program < PROGRAMS; program++) {
            if (random.nextBoolean()) {
                events.add(new FaultEvent(random.nextLong(LENGTH_MILLIS), Kind.REMOVE_CLIENT, program, -1, 0));
            }
        }
        return events;
    }

    /** Tasks that want to change the same number, some of them at once. */
    private static void addCounting(List<FaultEvent> scenario, SplittableRandom random, int firstNumber) {
        int tasks = 2 + random.nextInt(COUNTING_MAX - 1);
        long at = random.nextLong(LENGTH_MILLIS);
        for (int i = 0; i < tasks; i++) {
            long later = i * random.nextLong(1_000);
            scenario.add(new FaultEvent(at + later, Kind.SUBMIT_COUNTS, firstNumber + i, -1, random.nextLong(1_000)));
        }
        if (random.nextInt(3) == 0) {
            long later = random.nextLong(1_500);
            scenario.add(new FaultEvent(at + later, Kind.CANCEL, firstNumber + random.nextInt(tasks), -1, 0));
        }
    }

    /** What a program does, and how it ends. */
    private static void addProgram(List<FaultEvent> scenario, SplittableRandom random) {
        int maps = 1 + random.nextInt(MAPS_MAX);
        for (int i = 0; i < maps; i++) {
            Kind kind = random.nextInt(3) == 0 ? Kind.MAP_FAILS_ONCE : Kind.MAP;
            long runs = random.nextInt(6) == 0 ? random.nextLong(1_000) : random.nextLong(30);
            int elements = 1 + random.nextInt(ELEMENTS_MAX);
            scenario.add(new FaultEvent(random.nextLong(LENGTH_MILLIS), kind, i, elements, runs));
        }
        if (random.nextInt(2) == 0) {
            scenario.add(new FaultEvent(
                    random.nextLong(LENGTH_MILLIS), Kind.CANCEL_MAPPED, random.nextInt(ELEMENTS_MAX), -1, 0));
        }
        if (random.nextInt(4) == 0) {
            scenario.add(new FaultEvent(random.nextLong(LENGTH_MILLIS), Kind.HOLD, 0, -1, random.nextLong(1_500)));
        }
        if (random.nextInt(2) == 0) {
            addActor(scenario, random);
        }
        if (random.nextInt(3) == 0) {
            Kind kind = random.nextInt(3) == 0 ? Kind.GENERATE_FAILS_ONCE : Kind.GENERATE;
            int items = 1 + random.nextInt(ITEMS_MAX);
            scenario.add(new FaultEvent(random.nextLong(LENGTH_MILLIS), kind, 0, items, random.nextLong(500)));
        }
        if (random.nextInt(6) == 0) {
            int numbers = 1 + random.nextInt(ELEMENTS_MAX);
            scenario.add(new FaultEvent(random.nextLong(LENGTH_MILLIS), Kind.GROUP, 0, numbers, random.nextLong(200)));
        }
        if (random.nextInt(4) == 0) {
            scenario.add(new FaultEvent(random.nextLong(LENGTH_MILLIS), Kind.KILL_PROGRAM, 0, -1, 0));
        }
    }

    private static void addActor(List<FaultEvent> scenario, SplittableRandom random) {
        int times = 1 + random.nextInt(CALLING_MAX);
        for (int i = 0; i < times; i++) {
            Kind kind = ACTORS.get(random.nextInt(ACTORS.size()));
            int calls = 1 + random.nextInt(CALLS_MAX);
            long runs = random.nextInt(4) == 0 ? random.nextLong(5_000) : random.nextLong(300);
            scenario.add(new FaultEvent(random.nextLong(LENGTH_MILLIS), kind, i, calls, runs));
        }
        if (random.nextInt(2) == 0) {
            int which = random.nextInt(CALLS_MAX);
            scenario.add(new FaultEvent(random.nextLong(LENGTH_MILLIS), Kind.CANCEL_CALL, which, -1, 0));
        }
    }

    /** Calls within a while, most with one number of those that may run beside each other, and half of them short. */
    private static void addCallsBeside(List<FaultEvent> scenario, SplittableRandom random) {
        int times = 2 + random.nextInt(CALLING_MAX);
        int concurrent = 1 + random.nextInt(CONCURRENT_MAX);
        long from = random.nextLong(LENGTH_MILLIS);
        for (int i = 0; i < times; i++) {
            Kind kind = CALLS_BESIDE.get(random.nextInt(CALLS_BESIDE.size()));
            int number = random.nextInt(4) == 0 ? 1 + random.nextInt(CONCURRENT_MAX) : concurrent;
            int calls = 1 + random.nextInt(CALLS_MAX);
            long runs = random.nextBoolean() ? random.nextLong(6) : random.nextLong(3_000);
            scenario.add(new FaultEvent(from + random.nextLong(2_000), kind, number, calls, runs));
        }
        if (random.nextInt(2) == 0) {
            int which = random.nextInt(CALLS_MAX * times);
            scenario.add(new FaultEvent(from + random.nextLong(3_000), Kind.CANCEL_CALL, which, -1, 0));
        }
    }

    /** Where a program calls the actor, another one may do so at about the same time, and as often. */
    private static void addOtherProgram(List<FaultEvent> scenario, SplittableRandom random) {
        List<FaultEvent> calls = scenario.stream()
                .filter(faultEvent -> CALLS.contains(faultEvent.kind()))
                .toList();
        if (calls.isEmpty() || random.nextInt(2) == 0) {
            return;
        }
        int times = 1 + random.nextInt(CALLING_MAX);
        for (int i = 0; i < times; i++) {
            FaultEvent call = calls.get(random.nextInt(calls.size()));
            boolean isBeside =
                    call.kind() == Kind.CALL_ACTOR_BESIDE || call.kind() == Kind.CALL_ACTOR_BESIDE_FAILS_ONCE;
            Kind alone = random.nextInt(3) == 0 ? Kind.OTHER_PROGRAM_CALLS_FAIL_ONCE : Kind.OTHER_PROGRAM_CALLS;
            Kind kind = isBeside && random.nextInt(4) > 0 ? Kind.OTHER_PROGRAM_CALLS_BESIDE : alone;
            long at = Math.max(0, call.atMillis() - 300) + random.nextLong(600);
            long runs = random.nextBoolean() ? random.nextLong(6) : random.nextLong(1_000);
            scenario.add(new FaultEvent(at, kind, call.which(), 1 + random.nextInt(CALLS_MAX), runs));
        }
        long from = calls.getFirst().atMillis();
        if (random.nextInt(3) == 0) {
            int which = random.nextInt(CALLS_MAX);
            scenario.add(new FaultEvent(from + random.nextLong(3_000), Kind.OTHER_PROGRAM_CANCELS, which, -1, 0));
        }
        if (random.nextInt(5) == 0) {
            scenario.add(new FaultEvent(from + random.nextLong(5_000), Kind.KILL_OTHER_PROGRAM, 0, -1, 0));
        }
    }

    /** Short tasks, half of them while a worker can not record anything, which may end before it can again. */
    private static void addSpeculation(List<FaultEvent> scenario, SplittableRandom random, int seats) {
        if (random.nextInt(2) == 0) {
            return;
        }
        int times = 1 + random.nextInt(SPECULATIONS_MAX);
        for (int i = 0; i < times; i++) {
            long at = FIRST_MILLIS + random.nextLong(LENGTH_MILLIS - FIRST_MILLIS);
            if (random.nextBoolean()) {
                int seat = random.nextInt(seats);
                scenario.add(
                        new FaultEvent(at - random.nextLong(500), Kind.CUT_STORE, seat, 0, random.nextLong(10_000)));
                Kind end = random.nextBoolean() ? Kind.KILL : Kind.REPLACE;
                scenario.add(new FaultEvent(at + random.nextLong(2_000), end, seat, 0, random.nextLong(5_000)));
            }
            Kind kind = random.nextBoolean() ? Kind.SPECULATE : Kind.SPECULATE_ON_VARYING;
            long runs = random.nextInt(6) == 0 ? random.nextLong(300) : random.nextLong(5);
            scenario.add(new FaultEvent(at, kind, i, 1 + random.nextInt(SPECULATED_MAX), runs));
        }
    }

    /** Whether it is speculation, or done by the program that does nothing but call the actor. */
    boolean isLaterAddition() {
        return LATER_ADDITIONS.contains(kind);
    }

    @Override
    public String toString() {
        return String.format("%9.3f s  %s which=%d other=%d millis=%d", atMillis / 1e3, kind, which, other, millis);
    }
}
