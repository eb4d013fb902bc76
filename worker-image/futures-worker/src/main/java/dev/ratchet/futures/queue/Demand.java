/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.membership.Member;
import dev.ratchet.protocol.futures.v1.FutureRecordOrBuilder;
import dev.ratchet.protocol.futures.v1.Locality;
import dev.ratchet.protocol.futures.v1.Requirements;
import dev.ratchet.protocol.futures.v1.SchedulingSpec;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * What a future asks of the worker that runs it: what it must have, and maybe which one it must be. Judged by what
 * workers have altogether, not by what is free, and a worker that restarts keeps its seat: so what nobody meets now
 * needs other workers, or another demand. Pure.
 *
 * @param seat the only one that it may run on; empty where any will do
 */
public record Demand(Requirements requirements, String seat) {

    private static final int SEATS_TOLD_MAX = 10;

    /** That of a future as it is recorded. */
    public static Demand of(FutureRecordOrBuilder record) {
        return new Demand(
                SchedulingSpecs.requirements(record),
                seat(record.getSchedulingSpec().getLocality()));
    }

    /** That of a new future. */
    public static Demand of(SchedulingSpec schedulingSpec) {
        return new Demand(
                schedulingSpec.hasRequirements()
                        ? schedulingSpec.getRequirements()
                        : SchedulingSpecs.DEFAULT_REQUIREMENTS,
                seat(schedulingSpec.getLocality()));
    }

    private static String seat(Locality locality) {
        return locality.getRequired() ? locality.getSeat() : "";
    }

    /** Whether every worker meets it, so that the next one that comes will do. */
    public boolean isModest() {
        return seat.isEmpty() && SchedulingSpecs.requirementClass(requirements).equals(SchedulingSpecs.DEFAULT_CLASS);
    }

    /** Why none of these members meets it, and what to do; nothing where one does, or any would. */
    public Optional<String> problem(List<Member> all) {
        if (isModest()) {
            return Optional.empty();
        }
        List<Member> present = all.stream().filter(Demand::mayReturn).toList();
        List<Member> asked = present.stream()
                .filter(member -> seat.isEmpty() || seat.equals(member.seat()))
                .toList();
        if (asked.stream().map(Capacity::of).anyMatch(capacity -> capacity.fits(requirements))) {
            return Optional.empty();
        }
        return Optional.of(
                asked.isEmpty() && !seat.isEmpty()
                        ? "No worker has the seat " + seat + ", and it may run nowhere else. " + seats(present)
                                + ". Name one that is there, do not require it, or submit it waiting for capacity."
                        : who(asked) + ": required cpuMillis=" + requirements.getCpuMillis() + " memoryBytes="
                                + requirements.getMemoryBytes() + " gpuMillis=" + requirements.getGpuMillis()
                                + " custom=" + new TreeMap<>(requirements.getCustomMap())
                                + ", the most of each on one worker is cpuMillis="
                                + most(asked, Capacity::cpuMillis) + " memoryBytes="
                                + most(asked, Capacity::memoryBytes) + " gpuMillis="
                                + most(asked, Capacity::gpuMillis)
                                + ". Ask for less, add larger workers, or submit it waiting for capacity.");
    }

    /** Whether a worker has this seat, be it that it restarts. */
    public static boolean mayReturn(Member member) {
        return member.isPresent() && !member.ended();
    }

    private static String seats(List<Member> present) {
        String names = present.stream()
                .map(Member::seat)
                .sorted()
                .limit(SEATS_TOLD_MAX)
                .collect(Collectors.joining(", "));
        return switch (present.size()) {
            case 0 -> "There is no worker";
            case 1 -> "There is one worker: " + names;
            default ->
                "There are " + present.size() + " workers: " + names
                        + (present.size() > SEATS_TOLD_MAX ? " and others" : "");
        };
    }

    private String who(List<Member> asked) {
        return switch (asked.size()) {
            case 0 -> "There is no worker";
            case 1 ->
                "The only worker" + (seat.isEmpty() ? "" : " that it may run on") + ", "
                        + asked.getFirst().seat() + ", is not large enough";
            default -> "None of the " + asked.size() + " workers is large enough";
        };
    }

    private static long most(List<Member> asked, ToLongFunction<Capacity> amount) {
        return asked.stream().map(Capacity::of).mapToLong(amount).max().orElse(0);
    }
}
