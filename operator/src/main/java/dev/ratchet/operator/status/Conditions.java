/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Owns a list of conditions that is made anew. Invariant: the time of a transition changes exactly when the status
 * does, so that a list about an unchanged world equals the one before and is not written.
 */
public final class Conditions {
    private final List<Condition> before;
    private final long generation;
    private final String now;
    private final List<Condition> made = new ArrayList<>();

    public Conditions(List<Condition> before, long generation, Instant now) {
        this.before = before;
        this.generation = generation;
        this.now = time(now);
    }

    /** Puts a condition; an empty {@code message} stands for the sentence of {@code reason}. */
    public Conditions put(String type, boolean status, Reason reason, String message) {
        return put(type, status ? "True" : "False", reason, message);
    }

    public Conditions putUnknown(String type, Reason reason, String message) {
        return put(type, "Unknown", reason, message);
    }

    private Conditions put(String type, String status, Reason reason, String message) {
        String since = find(before, type)
                .filter(old -> status.equals(old.getStatus()))
                .map(Condition::getLastTransitionTime)
                .orElse(now);
        made.add(new ConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(reason.word())
                .withMessage(message.isEmpty() ? reason.text() : message)
                .withObservedGeneration(generation)
                .withLastTransitionTime(since)
                .build());
        return this;
    }

    /** Takes over what was there before and is not put anew. */
    public Conditions keepOthers() {
        before.stream().filter(old -> find(made, old.getType()).isEmpty()).forEach(made::add);
        return this;
    }

    /** The conditions in the order in which they were put. */
    public List<Condition> list() {
        return List.copyOf(made);
    }

    public static Optional<Condition> find(List<Condition> conditions, String type) {
        return conditions.stream()
                .filter(condition -> type.equals(condition.getType()))
                .findFirst();
    }

    public static boolean isTrue(List<Condition> conditions, String type) {
        return find(conditions, type)
                .filter(condition -> "True".equals(condition.getStatus()))
                .isPresent();
    }

    /** A time as Kubernetes writes it. */
    public static String time(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
