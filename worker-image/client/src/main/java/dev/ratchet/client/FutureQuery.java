/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.Optional;
import java.util.Set;

/**
 * Which futures are asked for: those that fit everything that is present.
 *
 * @param job of this job
 * @param states in one of these states; empty: in any
 * @param tenant of this tenant
 * @param name with exactly this name
 * @param seat claimed last by this worker
 * @param parent submitted by the code of this future
 */
public record FutureQuery(
        Optional<String> job,
        Set<FutureState> states,
        Optional<String> tenant,
        Optional<String> name,
        Optional<String> seat,
        Optional<FutureId> parent) {

    public FutureQuery {
        states = Set.copyOf(states);
    }

    /** All futures there are. */
    public static FutureQuery all() {
        return new FutureQuery(
                Optional.empty(), Set.of(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Those of a job. */
    public static FutureQuery ofJob(String job) {
        return new FutureQuery(
                Optional.of(job), Set.of(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Those that the code of a future has submitted. */
    public static FutureQuery ofParent(FutureId parent) {
        return new FutureQuery(
                Optional.empty(), Set.of(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(parent));
    }

    /** Only those that are in one of these states; without one: in any. */
    public FutureQuery withStates(FutureState... newStates) {
        return new FutureQuery(job, Set.of(newStates), tenant, name, seat, parent);
    }

    /** Only those of this tenant, by its whole name. */
    public FutureQuery withTenant(String newTenant) {
        return new FutureQuery(job, states, Optional.of(newTenant), name, seat, parent);
    }

    /** Only those of this name, by the whole of it. */
    public FutureQuery withName(String newName) {
        return new FutureQuery(job, states, tenant, Optional.of(newName), seat, parent);
    }

    /** Only those whose last attempt this worker has, or had. */
    public FutureQuery withSeat(String newSeat) {
        return new FutureQuery(job, states, tenant, name, Optional.of(newSeat), parent);
    }
}
