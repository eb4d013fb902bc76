/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.upkeep;

import dev.ratchet.futures.claim.WorkerContext;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.session.SessionHolder;
import dev.ratchet.futures.session.SessionLosses;
import dev.ratchet.futures.session.SessionRequests;
import dev.ratchet.futures.session.SlotCapacity;
import dev.ratchet.futures.session.StateCheckRunner;
import dev.ratchet.futures.settle.Cancellation;
import dev.ratchet.futures.settle.SessionEndings;
import dev.ratchet.membership.Clients;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Peers;
import dev.ratchet.membership.Seat;

/**
 * All that a worker does with sessions, put together: those that it holds, what clients ask, and those of the dead.
 * Immutable.
 */
public record WorkerSessions(SessionHolder holder, SessionRequests requests, SessionLosses losses) {

    public static WorkerSessions of(
            WorkerContext context,
            Clients clients,
            Peers peers,
            SlotCapacity capacity,
            Cancellation cancellation,
            StateCheckRunner checks) {
        FutureStore store = context.store();
        Seat seat = context.seat();
        Liveness liveness = context.liveness();
        SessionEndings endings = new SessionEndings(store, cancellation);
        SessionHolder holder = new SessionHolder(store, context.members(), seat, clients, capacity, endings, checks);
        return new WorkerSessions(
                holder,
                new SessionRequests(store, liveness, clients, peers, holder, seat.name()),
                new SessionLosses(store, context.members(), liveness, endings));
    }
}
