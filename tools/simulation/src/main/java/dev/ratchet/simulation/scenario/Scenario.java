/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import dev.ratchet.simulation.check.Rule;
import dev.ratchet.simulation.check.RuleViolation;
import dev.ratchet.simulation.cluster.Defects;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A cluster of three seats, what happens to it, and the seed of everything else. Told twice it goes the same way; told
 * with fewer fault events it is another scenario, which may go wrong in the same way.
 *
 * @param seed of the order of events, of clocks and of which calls fail
 * @param faultEvents in order of time
 * @param defects planted in its workers
 * @param volumes whether the files of a seat outlive its processes, of which one at a time has them
 */
public record Scenario(long seed, List<FaultEvent> faultEvents, Defects defects, boolean volumes) {

    static final int SEATS = 3;
    private static final int SEEDS_TO_TRY = 4;

    /**
     * How one run went.
     *
     * @param failure what went wrong, if anything
     * @param notes what happened, a line each
     * @param digest equal for equal runs
     * @param looks how often each rule was looked at
     */
    public record Ending(Optional<Throwable> failure, List<String> notes, long digest, Map<Rule, Long> looks) {}

    public Scenario {
        faultEvents = List.copyOf(faultEvents);
    }

    /** One in which each process begins without files. */
    public Scenario(long seed, List<FaultEvent> faultEvents, Defects defects) {
        this(seed, faultEvents, defects, false);
    }

    /** The scenario of a seed. */
    public static Scenario of(long seed) {
        return of(seed, Defects.NONE);
    }

    public static Scenario of(long seed, Defects defects) {
        return new Scenario(seed, FaultEvent.of(new SplittableRandom(seed), SEATS), defects);
    }

    /** The same in which the files of a seat outlive its processes, with values that only those have. */
    public Scenario withVolumes() {
        List<FaultEvent> more = new ArrayList<>(faultEvents);
        more.addAll(FaultEvent.once(new SplittableRandom(~seed)));
        more.sort(Comparator.comparingLong(FaultEvent::atMillis));
        return new Scenario(seed, more, defects, true);
    }

    /** The same in which processes are replaced in place, too. */
    public Scenario withReplacementsInPlace() {
        List<FaultEvent> more = new ArrayList<>(faultEvents);
        more.addAll(FaultEvent.inPlace(new SplittableRandom(seed + 1), SEATS));
        more.sort(Comparator.comparingLong(FaultEvent::atMillis));
        return new Scenario(seed, more, defects, volumes);
    }

    /** The same with programs that want far more than the others, and with clients that are removed. */
    public Scenario withClients() {
        List<FaultEvent> more = new ArrayList<>(faultEvents);
        more.addAll(FaultEvent.clients(new SplittableRandom(seed + 2)));
        more.sort(Comparator.comparingLong(FaultEvent::atMillis));
        return new Scenario(seed, more, defects, volumes);
    }

    /** Runs it from the beginning to the end. */
    public Ending tell() {
        return new ScenarioRun(this).run();
    }

    /**
     * A scenario with as few of the fault events as still fail in the same way, found by leaving out ever smaller
     * parts.
     *
     * @param tellings most tries
     */
    public Scenario shrunk(int tellings) {
        Optional<Throwable> failure = tell().failure();
        if (failure.isEmpty()) {
            return this;
        }
        Predicate<Scenario> fails = scenario -> scenario.tell()
                .failure()
                .filter(found -> isLike(found, failure.get()))
                .isPresent();
        return shrunk(fails, tellings);
    }

    /** Whether two scenarios fail for one reason: they break the same rule, or end in the same way otherwise. */
    private static boolean isLike(Throwable found, Throwable failure) {
        return (found instanceof RuleViolation one && failure instanceof RuleViolation other)
                ? one.rule() == other.rule()
                : found.getClass() == failure.getClass();
    }

    private Scenario shrunk(Predicate<Scenario> fails, int tellings) {
        Scenario shortest = this;
        int left = tellings;
        int part = Math.max(1, faultEvents.size() / 2);
        while (left > 0) {
            boolean removed = false;
            for (int from = 0; from < shortest.faultEvents.size() && left > 0; ) {
                Optional<Scenario> shorter =
                        shortest.without(from, part).filter(fails).findFirst();
                left -= SEEDS_TO_TRY;
                removed |= shorter.isPresent();
                from += shorter.isPresent() ? 0 : part;
                shortest = shorter.orElse(shortest);
            }
            if (part == 1 && !removed) {
                break;
            }
            part = Math.max(1, removed ? part : part / 2);
        }
        return shortest;
    }

    /** Without some fault events everything comes at other times, and fails perhaps only with another seed. */
    private Stream<Scenario> without(int from, int count) {
        List<FaultEvent> fewer = new ArrayList<>(faultEvents);
        fewer.subList(from, Math.min(fewer.size(), from + count)).clear();
        return LongStream.range(0, SEEDS_TO_TRY).mapToObj(more -> new Scenario(seed + more, fewer, defects, volumes));
    }

    /** What went wrong with a seed, for people: the shortest such scenario, and what happened in it. */
    public String explain(int tellings) {
        Scenario shortest = shrunk(tellings);
        Ending ending = shortest.tell();
        StringBuilder text = new StringBuilder("Seed " + seed + " fails; seed " + shortest.seed + " does with "
                + shortest.faultEvents.size() + " of its " + faultEvents.size() + " fault events:\n");
        shortest.faultEvents.forEach(
                faultEvent -> text.append("  ").append(faultEvent).append('\n'));
        text.append("What was seen:\n");
        ending.notes().forEach(note -> text.append("  ").append(note).append('\n'));
        ending.failure().ifPresent(failure -> text.append(failure).append('\n'));
        return text.toString();
    }
}
