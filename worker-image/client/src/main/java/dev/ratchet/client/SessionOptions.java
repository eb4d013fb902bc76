/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What a session needs, and for how long.
 *
 * @param name for people, at most 200 characters
 * @param labels for whoever lists sessions: at most 16, keys of at most 63 characters as Kubernetes has them, values of
 *     at most 200
 * @param slots how many slots of each resource, 1 to 1,000 each of at most 16 resources, all on one worker; none = one
 *     of the sessions that a worker has for those that name no resource
 * @param priority higher first, -10 to 10
 * @param creationTimeout how long to wait for the slots; 1 ms to 366 days
 * @param executionTimeout how long it may be open before it fails; absent = without limit
 * @param detached whether it stays open when the program that has opened it disconnects or dies, or the attempt at a
 *     task that has opened it is over
 * @param reestablishment for how long it waits for its worker to come back on the same seat; zero = it fails with its
 *     worker
 * @param reestablishmentCheck says on the worker whether what the session needs is still there; absent = not asked
 * @param version the release of Ratchet that its worker must run; empty = any
 * @param waitForCapacity whether to wait also where no worker has such slots, used or not
 * @param workerLabels labels that its worker must have: at most 16, with keys and values as {@code labels} has them
 */
public record SessionOptions(
        String name,
        Map<String, String> labels,
        Map<String, Integer> slots,
        int priority,
        Duration creationTimeout,
        Optional<Duration> executionTimeout,
        boolean detached,
        Duration reestablishment,
        Optional<SerializableCallable<Boolean>> reestablishmentCheck,
        String version,
        boolean waitForCapacity,
        Map<String, String> workerLabels) {

    private static final SessionOptions DEFAULTS = new SessionOptions(
            "",
            Map.of(),
            Map.of(),
            0,
            Duration.ofMinutes(1),
            Optional.empty(),
            false,
            Duration.ZERO,
            Optional.empty(),
            "",
            false,
            Map.of());

    /** @throws InvalidInputException outside of the limits */
    public SessionOptions {
        if (name.length() > 200 || Math.abs(priority) > SubmitOptions.PRIORITY_MAX || slots.size() > 16) {
            throw new InvalidInputException("A session has a name of at most 200 characters, a priority of "
                    + -SubmitOptions.PRIORITY_MAX + " to " + SubmitOptions.PRIORITY_MAX
                    + ", and slots of at most 16 resources; not " + name.length() + " characters, " + priority + " and "
                    + slots.size() + " resources.");
        }
        labels = checked("A session has", labels);
        workerLabels = checked("A session requires of its worker", workerLabels);
        slots = Map.copyOf(slots);
        slots.forEach((resource, count) -> {
            if (!resource.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?") || count < 1 || count > 1_000) {
                throw new InvalidInputException(
                        "A session takes 1 to 1,000 slots of a resource, whose name has up to 63"
                                + " lower-case letters, digits and hyphens; not " + count + " of '" + resource + "'.");
            }
        });
        requireMillis("creation timeout", creationTimeout);
        executionTimeout.ifPresent(timeout -> requireMillis("execution timeout", timeout));
        if (version.length() > 64) {
            throw new InvalidInputException("A release has at most 64 characters, not " + version.length() + ".");
        }
        if (!reestablishment.isZero()) {
            requireMillis("time to be established again", reestablishment);
        } else if (reestablishmentCheck.isPresent()) {
            throw new InvalidInputException("A check of what is left after a restart needs a time to be established"
                    + " again, which is not zero.");
        }
    }

    /** Without labels of the worker. */
    @Deprecated(since = "0.2.0")
    @SuppressWarnings("InlineMeSuggester") // code of users is not rewritten by a compiler that they may not have
    public SessionOptions(
            String name,
            Map<String, String> labels,
            Map<String, Integer> slots,
            int priority,
            Duration creationTimeout,
            Optional<Duration> executionTimeout,
            boolean detached,
            Duration reestablishment,
            Optional<SerializableCallable<Boolean>> reestablishmentCheck,
            String version,
            boolean waitForCapacity) {
        this(
                name,
                labels,
                slots,
                priority,
                creationTimeout,
                executionTimeout,
                detached,
                reestablishment,
                reestablishmentCheck,
                version,
                waitForCapacity,
                Map.of());
    }

    private static Map<String, String> checked(String who, Map<String, String> labels) {
        if (labels.size() > 16) {
            throw new InvalidInputException(who + " at most 16 labels, not " + labels.size() + ".");
        }
        labels.forEach((key, value) -> {
            if (!key.matches("[A-Za-z0-9]([-A-Za-z0-9_./]{0,61}[A-Za-z0-9])?") || value.length() > 200) {
                throw new InvalidInputException(
                        "The key of a label has up to 63 letters, digits, '-', '_', '.' and '/', its"
                                + " value at most 200 characters; not '" + key + "' and " + value.length()
                                + " characters.");
            }
        });
        return Map.copyOf(labels);
    }

    private static void requireMillis(String what, Duration timeout) {
        if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(Duration.ofDays(366)) > 0) {
            throw new InvalidInputException(
                    "The " + what + " of a session is 1 ms to 366 days, and not " + timeout + ".");
        }
    }

    /** One of the sessions that name no resource, within a minute, for as long as this program is connected. */
    public static SessionOptions defaults() {
        return DEFAULTS;
    }

    /** As {@link #defaults()}, with one slot of this resource. */
    public static SessionOptions ofSlot(String resource) {
        return DEFAULTS.withSlots(resource, 1);
    }

    /** With this name. */
    public SessionOptions withName(String newName) {
        return with(draft -> draft.name = newName);
    }

    /** With this label, beside what it has of others. */
    public SessionOptions withLabel(String key, String value) {
        return with(draft -> draft.labels.put(key, value));
    }

    /** So many slots of this resource, beside what it has of others. */
    public SessionOptions withSlots(String resource, int count) {
        return with(draft -> draft.slots.put(resource, count));
    }

    /** With this priority: higher first. */
    public SessionOptions withPriority(int newPriority) {
        return with(draft -> draft.priority = newPriority);
    }

    /** Waits for so long at most. */
    public SessionOptions withCreationTimeout(Duration newTimeout) {
        return with(draft -> draft.creationTimeout = newTimeout);
    }

    /** Fails when it has been open for so long. */
    public SessionOptions withExecutionTimeout(Duration newTimeout) {
        return with(draft -> draft.executionTimeout = Optional.of(newTimeout));
    }

    /** It stays open until it is closed, whatever becomes of this program, or of the attempt at the calling task. */
    public SessionOptions withDetachment() {
        return with(draft -> draft.detached = true);
    }

    /**
     * If its worker dies and the same seat is taken again within this time, the session goes on there with the same
     * slots; its futures wait meanwhile, and those that ran are run again as their retries allow. It is for what stays
     * on a disk of the worker. A task that does not find it throws {@link SessionStateLostException}.
     */
    public SessionOptions withReestablishment(Duration newReestablishment) {
        return with(draft -> {
            draft.reestablishment = newReestablishment;
            draft.reestablishmentCheck = Optional.empty();
        });
    }

    /**
     * As {@link #withReestablishment(Duration)}, and asks {@code check} first: it runs on the worker each time the
     * session goes on there, before any future of the session does. Where it returns false or throws, the session fails
     * with {@link SessionFailureReason#STATE_LOST}. If the worker dies while it runs, it runs again on the next one. It
     * should be short: futures wait for it, and the slots are not free before it has returned. What it captures has at
     * most 10 kB when serialised, without futures; it submits nothing itself.
     */
    public SessionOptions withReestablishment(Duration newReestablishment, SerializableCallable<Boolean> check) {
        return with(draft -> {
            draft.reestablishment = newReestablishment;
            draft.reestablishmentCheck = Optional.of(check);
        });
    }

    /** Only on a worker that runs this release. */
    public SessionOptions withVersion(String newVersion) {
        return with(draft -> draft.version = newVersion);
    }

    /**
     * Only on a worker that has this label, beside the others that are required: {@code RATCHET_LABELS} says which a
     * worker has. After a restart the session goes on only if the worker of the same seat has them still.
     */
    public SessionOptions withWorkerLabel(String key, String value) {
        return with(draft -> draft.workerLabels.put(key, value));
    }

    /** Waits for a worker that has such slots, too. */
    public SessionOptions waitingForCapacity() {
        return with(draft -> draft.waitForCapacity = true);
    }

    private SessionOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    /** The same options while one of them is changed. */
    private static final class Draft {
        private final Map<String, String> labels;
        private final Map<String, Integer> slots;
        private final Map<String, String> workerLabels;
        private String name;
        private int priority;
        private Duration creationTimeout;
        private Optional<Duration> executionTimeout;
        private boolean detached;
        private Duration reestablishment;
        private Optional<SerializableCallable<Boolean>> reestablishmentCheck;
        private String version;
        private boolean waitForCapacity;

        Draft(SessionOptions from) {
            labels = new TreeMap<>(from.labels);
            slots = new TreeMap<>(from.slots);
            workerLabels = new TreeMap<>(from.workerLabels);
            name = from.name;
            priority = from.priority;
            creationTimeout = from.creationTimeout;
            executionTimeout = from.executionTimeout;
            detached = from.detached;
            reestablishment = from.reestablishment;
            reestablishmentCheck = from.reestablishmentCheck;
            version = from.version;
            waitForCapacity = from.waitForCapacity;
        }

        SessionOptions options() {
            return new SessionOptions(
                    name,
                    labels,
                    slots,
                    priority,
                    creationTimeout,
                    executionTimeout,
                    detached,
                    reestablishment,
                    reestablishmentCheck,
                    version,
                    waitForCapacity,
                    workerLabels);
        }
    }
}
