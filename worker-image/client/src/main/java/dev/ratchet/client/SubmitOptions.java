/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a task is to be treated: made of {@link #defaults()} by methods {@code with…}, each of which gives a changed
 * copy. Immutable. Later releases may have more of it, so that nothing else makes or takes one apart.
 */
public final class SubmitOptions {

    /** Longest name, job and key. */
    public static final int NAME_LENGTH_MAX = 200;

    /** Longest name of a tenant. */
    public static final int TENANT_LENGTH_MAX = 63;

    /** Highest priority; the lowest is its negative. */
    public static final int PRIORITY_MAX = 10;

    /** Longest of each duration. */
    public static final Duration DURATION_MAX = Duration.ofDays(3_650);

    private static final SubmitOptions DEFAULTS = new SubmitOptions(new Draft());

    private final String name;
    private final String job;
    private final String tenant;
    private final Optional<String> key;
    private final int priority;
    private final Requirements requirements;
    private final RetryPolicy retries;
    private final Locality locality;
    private final Duration delay;
    private final Duration attemptTimeout;
    private final Optional<Duration> retention;
    private final boolean shortTask;
    private final boolean allowReconstruction;
    private final boolean isolated;
    private final boolean externalEffects;
    private final boolean speculativeValue;
    private final Optional<SessionRef> session;

    /** @throws InvalidInputException if a value is outside of its limits */
    private SubmitOptions(Draft draft) {
        name = draft.name;
        job = draft.job;
        tenant = draft.tenant;
        key = draft.key;
        priority = draft.priority;
        requirements = draft.requirements;
        retries = draft.retries;
        locality = draft.locality;
        delay = draft.delay;
        attemptTimeout = draft.attemptTimeout;
        retention = draft.retention;
        shortTask = draft.shortTask;
        allowReconstruction = draft.allowReconstruction;
        isolated = draft.isolated;
        externalEffects = draft.externalEffects;
        speculativeValue = draft.speculativeValue;
        session = draft.session;
        Objects.requireNonNull(requirements, "requirements");
        Objects.requireNonNull(retries, "retries");
        Objects.requireNonNull(locality, "locality");
        requireText("name", name, 0, NAME_LENGTH_MAX);
        requireText("job", job, 1, NAME_LENGTH_MAX);
        requireText("tenant", tenant, 1, TENANT_LENGTH_MAX);
        key.ifPresent(given -> requireText("key", given, 1, NAME_LENGTH_MAX));
        requireDuration("delay", delay);
        requireDuration("attemptTimeout", attemptTimeout);
        retention.ifPresent(given -> requireDuration("retention", given));
        if (Math.abs(priority) > PRIORITY_MAX) {
            throw new InvalidInputException("The priority of a future is " + -PRIORITY_MAX + " to " + PRIORITY_MAX
                    + ", and not " + priority + ".");
        }
        if (shortTask && externalEffects) {
            throw new InvalidInputException("A task with external effects is recorded before it runs, and a short one"
                    + " may run before: leave out "
                    + (speculativeValue ? "withSpeculativeValue()" : "withShortTask()")
                    + " or withExternalEffects().");
        }
        if (session.isPresent() && !locality.equals(Locality.anywhere())) {
            throw new InvalidInputException(
                    "A task of a session runs where the session is: leave out withLocality() or withSession().");
        }
        if (speculativeValue) {
            requireTellable();
        }
    }

    /** What is never run before it is recorded has no value before either. */
    private void requireTellable() {
        List<String> against = new ArrayList<>();
        if (!shortTask) {
            against.add("a task that is not short");
        }
        if (key.isPresent()) {
            against.add("withKey");
        }
        if (!requirements.equals(Requirements.defaults())) {
            against.add("withRequirements");
        }
        if (retries.maxRetries() == 0) {
            against.add("withMaxRetries(0)");
        }
        if (!locality.equals(Locality.anywhere())) {
            against.add("withLocality");
        }
        if (!delay.isZero()) {
            against.add("withDelay");
        }
        if (!attemptTimeout.isZero()) {
            against.add("withAttemptTimeout");
        }
        if (isolated) {
            against.add("withIsolation");
        }
        if (!against.isEmpty()) {
            throw new InvalidInputException("A speculative value is that of a task which runs before it is recorded, on"
                    + " the worker that is asked first, and may run once more: leave out withSpeculativeValue() or "
                    + String.join(", ", against) + ".");
        }
    }

    /** No name, job and tenant {@code default}, three retries, one processor. */
    public static SubmitOptions defaults() {
        return DEFAULTS;
    }

    /** Defaults in the given job. */
    public static SubmitOptions ofJob(String job) {
        return DEFAULTS.withJob(job);
    }

    /**
     * Names the future, for people and listings; need not be unique, at most 200 characters.
     *
     * @throws InvalidInputException if it is outside of these limits
     */
    public SubmitOptions withName(String newName) {
        return with(draft -> draft.name = newName);
    }

    /**
     * Puts the future into a job, which is what counters and traces are about; 1 to 200 characters.
     *
     * @throws InvalidInputException if it is outside of these limits
     */
    public SubmitOptions withJob(String newJob) {
        return with(draft -> draft.job = newJob);
    }

    /**
     * Accounts the future to a tenant; tenants of one priority are served in turn. 1 to 63 characters.
     *
     * @throws InvalidInputException if it is outside of these limits
     */
    public SubmitOptions withTenant(String newTenant) {
        return with(draft -> draft.tenant = newTenant);
    }

    /** Makes the submit idempotent: of all submits with this tenant and key the first one counts. Not for puts. */
    public SubmitOptions withKey(String newKey) {
        return with(draft -> draft.key = Optional.of(newKey));
    }

    /**
     * Serves the future before those of lower priority; −10 to 10, 0 unless said.
     *
     * @throws InvalidInputException if it is outside of these limits
     */
    public SubmitOptions withPriority(int newPriority) {
        return with(draft -> draft.priority = newPriority);
    }

    /** What a worker must have free to run the future; one processor unless said. */
    public SubmitOptions withRequirements(Requirements newRequirements) {
        return with(draft -> draft.requirements = newRequirements);
    }

    /** Which failures are tried again, how often and when. */
    public SubmitOptions withRetries(RetryPolicy newRetries) {
        return with(draft -> draft.retries = newRetries);
    }

    /** {@link #withRetries} with another number. */
    public SubmitOptions withMaxRetries(int newMaxRetries) {
        return withRetries(retries.withMaxRetries(newMaxRetries));
    }

    /** Where the future would best run, or must. */
    public SubmitOptions withLocality(Locality newLocality) {
        return with(draft -> draft.locality = newLocality);
    }

    /**
     * Starts the future no earlier than so long after the submit, by the clock of the worker that records it.
     *
     * @throws InvalidInputException if it is outside of these limits
     */
    public SubmitOptions withDelay(Duration newDelay) {
        return with(draft -> draft.delay = newDelay);
    }

    /**
     * Interrupts an attempt that runs longer, which has failed then; zero = without limit.
     *
     * @throws InvalidInputException if it is outside of these limits
     */
    public SubmitOptions withAttemptTimeout(Duration newTimeout) {
        return with(draft -> draft.attemptTimeout = newTimeout);
    }

    /**
     * Removes the future with its result so long after its end, once nobody holds it and nothing that was computed from
     * it is left; zero = as soon as nobody does. Without, the cluster says how long: a day, unless it was told
     * otherwise.
     *
     * @throws InvalidInputException if it is outside of these limits
     */
    public SubmitOptions withRetention(Duration newRetention) {
        return with(draft -> draft.retention = Optional.of(newRetention));
    }

    /** Keeps the future with its result until it is deleted, or for ten years. */
    public SubmitOptions keep() {
        return withRetention(DURATION_MAX);
    }

    /** Says that the task takes no longer than about a millisecond. */
    public SubmitOptions withShortTask() {
        return with(draft -> draft.shortTask = true);
    }

    /** Says that a lost result must not be computed again. */
    public SubmitOptions withoutReconstruction() {
        return with(draft -> draft.allowReconstruction = false);
    }

    /**
     * Has the task run in a process of its own beside the worker: what it does to that process, an exit or a crash
     * included, costs its attempt and nobody else's.
     */
    public SubmitOptions withIsolation() {
        return with(draft -> draft.isolated = true);
    }

    /**
     * Says that the task changes what is neither in the store nor in its result: it calls another system, say. When its
     * worker is lost, another attempt begins only once the lost one can not run any more, which takes as long as a
     * lease even where the worker's end was seen at once. It is still repeated, so that what it calls must know it
     * again, or {@link #withMaxRetries} must be 0.
     *
     * @throws InvalidInputException together with {@link #withShortTask}
     */
    public SubmitOptions withExternalEffects() {
        return with(draft -> draft.externalEffects = true);
    }

    /**
     * Says that the task is short, as {@link #withShortTask}, and that its value may be told before it is recorded: by
     * {@code get}, by stages and by whatever else waits, for the time of a call over the network without that of a
     * commit. {@link DurableFuture#awaitDurable()} gives the recorded one. What was told may never be recorded: if the
     * worker dies before its commit, the task runs again elsewhere, and one that is not deterministic has another value
     * then. Failures are never told early, nor are values of more than 10,000 bytes or of tasks that use their
     * {@link TaskStore}, of calls of actors, of generators, and of what tasks submit: their own results would rest on
     * it.
     *
     * @throws InvalidInputException together with a key, a delay, a time limit, requirements, a locality, isolation,
     *     external effects or no retries
     */
    public SubmitOptions withSpeculativeValue() {
        return with(draft -> {
            draft.shortTask = true;
            draft.speculativeValue = true;
        });
    }

    /**
     * Runs on the worker that holds this session; see {@link Sessions}. Its result is not made again if it is lost.
     *
     * @param newSession a reference of either access
     */
    public SubmitOptions withSession(SessionRef newSession) {
        return with(draft -> draft.session = Optional.of(newSession));
    }

    /** For people, in listings and logs; at most 200 characters. */
    public String name() {
        return name;
    }

    /** Groups futures for listings and summaries; at most 200 characters. */
    public String job() {
        return job;
    }

    /** Whom it is accounted to; workers serve tenants in turn; at most 63 characters. */
    public String tenant() {
        return tenant;
    }

    /**
     * Submitting twice with the same tenant and key is submitting once: the id follows from them; at most 200
     * characters.
     */
    public Optional<String> key() {
        return key;
    }

    /** −10 to 10; what is higher is served first, whatever the tenant. */
    public int priority() {
        return priority;
    }

    /** What it takes from its worker. */
    public Requirements requirements() {
        return requirements;
    }

    /** When a failed attempt is tried again. */
    public RetryPolicy retries() {
        return retries;
    }

    /** Where it would best run. */
    public Locality locality() {
        return locality;
    }

    /** How long after the submit it may start at the earliest. */
    public Duration delay() {
        return delay;
    }

    /** How long one attempt may run; zero = without limit. */
    public Duration attemptTimeout() {
        return attemptTimeout;
    }

    /** How long its record and result are kept after its end at least; empty = as the cluster says. */
    public Optional<Duration> retention() {
        return retention;
    }

    /** That it takes no longer than about a millisecond: it may then be recorded only once it has run. */
    public boolean shortTask() {
        return shortTask;
    }

    /** Whether a lost result may be computed again; otherwise awaiting it fails with ObjectLostException. */
    public boolean allowReconstruction() {
        return allowReconstruction;
    }

    /** Whether it runs in a process of its own beside the worker. */
    public boolean isolated() {
        return isolated;
    }

    /** Whether it changes what is neither in the store nor in its result. */
    public boolean externalEffects() {
        return externalEffects;
    }

    /** Whether its value may be told before it is recorded. */
    public boolean speculativeValue() {
        return speculativeValue;
    }

    /** The session that it belongs to. */
    public Optional<SessionRef> session() {
        return session;
    }

    private SubmitOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new SubmitOptions(draft);
    }

    /** The one place that copies, and that says what the defaults are. */
    private static final class Draft {
        private String name = "";
        private String job = "default";
        private String tenant = "default";
        private Optional<String> key = Optional.empty();
        private int priority;
        private Requirements requirements = Requirements.defaults();
        private RetryPolicy retries = RetryPolicy.defaults();
        private Locality locality = Locality.anywhere();
        private Duration delay = Duration.ZERO;
        private Duration attemptTimeout = Duration.ZERO;
        private Optional<Duration> retention = Optional.empty();
        private boolean shortTask;
        private boolean allowReconstruction = true;
        private boolean isolated;
        private boolean externalEffects;
        private boolean speculativeValue;
        private Optional<SessionRef> session = Optional.empty();

        Draft() {}

        Draft(SubmitOptions from) {
            name = from.name;
            job = from.job;
            tenant = from.tenant;
            key = from.key;
            priority = from.priority;
            requirements = from.requirements;
            retries = from.retries;
            locality = from.locality;
            delay = from.delay;
            attemptTimeout = from.attemptTimeout;
            retention = from.retention;
            shortTask = from.shortTask;
            allowReconstruction = from.allowReconstruction;
            isolated = from.isolated;
            externalEffects = from.externalEffects;
            speculativeValue = from.speculativeValue;
            session = from.session;
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SubmitOptions options && values().equals(options.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "SubmitOptions" + values();
    }

    private Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("name", name);
        values.put("job", job);
        values.put("tenant", tenant);
        values.put("key", key);
        values.put("priority", priority);
        values.put("requirements", requirements);
        values.put("retries", retries);
        values.put("locality", locality);
        values.put("delay", delay);
        values.put("attemptTimeout", attemptTimeout);
        values.put("retention", retention);
        values.put("shortTask", shortTask);
        values.put("allowReconstruction", allowReconstruction);
        values.put("isolated", isolated);
        values.put("externalEffects", externalEffects);
        values.put("speculativeValue", speculativeValue);
        values.put("session", session);
        return values;
    }

    private static void requireText(String field, String value, int least, int most) {
        Objects.requireNonNull(value, field);
        if (value.length() < least || value.length() > most || value.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidInputException("The " + field + " of a future has " + least + " to " + most
                    + " characters and no control characters: '"
                    + (value.length() > most ? value.substring(0, most) + "..." : value) + "'.");
        }
    }

    private static void requireDuration(String field, Duration value) {
        if (value.isNegative() || value.compareTo(DURATION_MAX) > 0) {
            throw new InvalidInputException("The " + field + " of a future is 0 to 3,650 days, and not " + value + ".");
        }
    }
}
