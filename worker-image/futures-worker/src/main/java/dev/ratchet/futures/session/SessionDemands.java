/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import dev.ratchet.futures.code.Digests;
import dev.ratchet.membership.Member;
import dev.ratchet.protocol.sessions.v1.OpenSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Checks what a session asks for, and says what it is in words. Pure. */
final class SessionDemands {

    /** From this level of formats on every worker knows what labels a session requires. */
    static final int LEVEL_OF_WORKER_LABELS = 2;

    private static final int SECRET_BYTES = 16;
    private static final int PRIORITY_MAX = 10;
    private static final int NAME_CHARS_MAX = 200;
    private static final int LABELS_MAX = 16;
    private static final int LABEL_KEY_CHARS_MAX = 63;
    private static final int SLOTS_MAX = 1_000;
    private static final int CHECK_BYTES_MAX = 10_000;
    private static final int VALUES_TOLD_MAX = 10;
    private static final Pattern RESOURCE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final long TIMEOUT_MILLIS_MAX = 366L * 86_400_000;

    private SessionDemands() {}

    /**
     * The record of a session that begins to wait.
     *
     * @throws IllegalArgumentException if the request makes no sense
     */
    static SessionRecord checked(OpenSessionRequest request, long nowMillis) {
        SlotDemand demand = demand(request);
        SessionRecord.Builder record = SessionRecord.newBuilder();
        if (request.hasCheck()) {
            record.setCheck(request.getCheck().toBuilder().clearCode());
        }
        if (request.hasParentClaim()) {
            record.setOwnerFuture(request.getParent()).setOwnerClaim(request.getParentClaim());
        }
        return record.setState(SessionState.SESSION_STATE_WAITING)
                .setName(request.getName())
                .putAllLabels(request.getLabelsMap())
                .setPriority(request.getPriority())
                .setDemand(demand)
                .setCreatedWallMillis(nowMillis)
                .setCreationDeadlineWallMillis(nowMillis + request.getCreationTimeoutMillis())
                .setExecutionTimeoutMillis(request.getExecutionTimeoutMillis())
                .setReestablishMillis(request.getReestablishMillis())
                .setOwnerSecret(request.getOwnerSecret())
                .setUserSecret(request.getUserSecret())
                .setOwner(request.getOwner())
                .build();
    }

    /**
     * What it asks for.
     *
     * @throws IllegalArgumentException if the request makes no sense
     */
    static SlotDemand demand(OpenSessionRequest request) {
        requireInRange(request);
        SlotDemand demand = request.getDemand();
        return demand.getSlotsCount() > 0
                ? demand
                : demand.toBuilder().putSlots(SlotCapacity.DEFAULT_RESOURCE, 1).build();
    }

    private static void requireInRange(OpenSessionRequest request) {
        SlotDemand demand = request.getDemand();
        require(
                request.getName().length() <= NAME_CHARS_MAX,
                () -> "The name of a session has at most " + NAME_CHARS_MAX + " characters.");
        requireLabels("A session has", request.getLabelsMap());
        requireLabels("A session requires of its worker", demand.getWorkerLabelsMap());
        require(
                Math.abs(request.getPriority()) <= PRIORITY_MAX,
                () -> "The priority must be " + -PRIORITY_MAX + " to " + PRIORITY_MAX + ", and is "
                        + request.getPriority() + ".");
        require(
                request.getCreationTimeoutMillis() >= 1 && request.getCreationTimeoutMillis() <= TIMEOUT_MILLIS_MAX,
                () -> "The creation timeout must be 1 to " + TIMEOUT_MILLIS_MAX + " ms, and is "
                        + request.getCreationTimeoutMillis() + " ms.");
        require(
                request.getExecutionTimeoutMillis() >= 0 && request.getExecutionTimeoutMillis() <= TIMEOUT_MILLIS_MAX,
                () -> "The execution timeout must be 0 (none) to " + TIMEOUT_MILLIS_MAX + " ms, and is "
                        + request.getExecutionTimeoutMillis() + " ms.");
        require(
                request.getReestablishMillis() >= 0 && request.getReestablishMillis() <= TIMEOUT_MILLIS_MAX,
                () -> "The time to be established again must be 0 (not at all) to " + TIMEOUT_MILLIS_MAX
                        + " ms, and is " + request.getReestablishMillis() + " ms.");
        require(
                request.getOwnerSecret().size() == SECRET_BYTES
                        && request.getUserSecret().size() == SECRET_BYTES,
                () -> "The secrets of a session have " + SECRET_BYTES + " bytes.");
        require(
                demand.getSlotsCount() <= SlotCapacity.NAMES_MAX
                        && demand.getSlotsMap().values().stream().allMatch(count -> count >= 1 && count <= SLOTS_MAX),
                () -> "A session takes 1 to " + SLOTS_MAX + " slots each of at most " + SlotCapacity.NAMES_MAX
                        + " resources, not " + new TreeMap<>(demand.getSlotsMap()) + ".");
        require(
                demand.getSlotsMap().keySet().stream()
                        .allMatch(resource -> resource.equals(SlotCapacity.DEFAULT_RESOURCE)
                                || RESOURCE.matcher(resource).matches()),
                () -> "The name of a resource has up to 63 lower-case letters, digits and hyphens.");
        require(
                !request.hasCheck()
                        || (request.getReestablishMillis() > 0
                                && request.getCheck().getArgument().size() <= CHECK_BYTES_MAX),
                () -> "The check of a session that may be established again takes at most " + CHECK_BYTES_MAX
                        + " bytes.");
        if (request.hasCheck()) {
            Digests.requireTrue(
                    request.getCheck().getFunction(), request.getCheck().getCode());
        }
        require(
                !request.hasParentClaim() || !request.getParent().isEmpty(),
                () -> "A session that ends with an attempt at a task names the task.");
        require(
                request.getPredecessor().isEmpty()
                        || (demand.getSlotsCount() == 0 && demand.getWorkerLabelsCount() == 0),
                () -> "A session that takes over another one has the slots of that one on the same worker, and names"
                        + " neither slots nor labels of a worker.");
    }

    private static void requireLabels(String who, Map<String, String> labels) {
        require(
                labels.size() <= LABELS_MAX
                        && labels.entrySet().stream()
                                .allMatch(label -> label.getKey().length() <= LABEL_KEY_CHARS_MAX
                                        && label.getValue().length() <= NAME_CHARS_MAX),
                () -> who + " at most " + LABELS_MAX + " labels, with keys of at most " + LABEL_KEY_CHARS_MAX
                        + " characters and values of at most " + NAME_CHARS_MAX + ".");
    }

    /**
     * Refuses what workers of the first release, which may still be there, would grant without looking at all of it.
     */
    static void requireLevel(SlotDemand demand, int level) {
        require(
                demand.getWorkerLabelsCount() == 0 || level >= LEVEL_OF_WORKER_LABELS,
                () -> "Sessions may require labels of their workers once the upgrade of the cluster is finalized: its"
                        + " format level is " + level + ", and must be " + LEVEL_OF_WORKER_LABELS + ".");
    }

    /** Words are put together only where they are needed: requests come by the thousand. */
    private static void require(boolean holds, Supplier<String> otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise.get());
        }
    }

    /** Refuses what no worker has. */
    static void requireCapacity(SlotDemand demand, List<Member> present) {
        lack(demand, present).ifPresent(lack -> {
            throw new IllegalArgumentException(lack + ", ask for less, or wait for capacity.");
        });
    }

    /** Says of a session that waits that no worker has what it waits for; empty if one has it. */
    static Optional<String> lackOfWaiting(SlotDemand demand, List<Member> present) {
        return lack(demand, present).map(lack -> lack + ", or close the session.");
    }

    /** Says that no worker has it, unless one has not said yet what it has; a sentence that has no end yet. */
    private static Optional<String> lack(SlotDemand demand, List<Member> present) {
        boolean possible =
                present.stream().anyMatch(member -> !SlotCapacity.isTold(member) || SlotCapacity.fits(member, demand));
        if (possible) {
            return Optional.empty();
        }
        Map<String, Long> most = new TreeMap<>();
        demand.getSlotsMap()
                .keySet()
                .forEach(resource -> most.put(name(resource), SlotCapacity.most(present, resource)));
        boolean isLabelled = demand.getWorkerLabelsCount() > 0;
        return Optional.of("No worker has the slots " + told(demand) + "; the most of each on one worker is " + most
                + (isLabelled ? ", and workers have the labels " + values(demand, present) : "")
                + ". Set spec.workers.slots and spec.workers.sessions of the cluster"
                + (isLabelled ? ", or RATCHET_LABELS of its workers" : ""));
    }

    /** What workers have of the labels that are required: some of the values of each. */
    private static Map<String, Set<String>> values(SlotDemand demand, List<Member> present) {
        Map<String, Set<String>> values = new TreeMap<>();
        demand.getWorkerLabelsMap().keySet().forEach(key -> values.put(key, new TreeSet<>()));
        for (Member member : present) {
            WorkerTraits.of(member).labels().forEach((key, value) -> {
                Set<String> some = values.get(key);
                if (some != null && some.size() < VALUES_TOLD_MAX) {
                    some.add(value);
                }
            });
        }
        return values;
    }

    /** What it asks for, in words. */
    static String told(SlotDemand demand) {
        Map<String, Integer> slots = new TreeMap<>();
        demand.getSlotsMap().forEach((resource, count) -> slots.put(name(resource), count));
        return slots
                + (demand.getVersion().isEmpty() ? "" : " on the release " + demand.getVersion())
                + (demand.getWorkerLabelsCount() == 0
                        ? ""
                        : " with the worker labels " + new TreeMap<>(demand.getWorkerLabelsMap()));
    }

    private static String name(String resource) {
        return resource.equals(SlotCapacity.DEFAULT_RESOURCE) ? "sessions" : resource;
    }
}
