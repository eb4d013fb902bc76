/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.settle;

import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
import dev.ratchet.protocol.futures.v1.Locality;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Turns the wish to run beside a result into the seat that holds it. */
public final class LocalityResolver {

    private LocalityResolver() {}

    /** Assigns the future to a holder of the result that it wants to be near, if that is among these upstreams. */
    public static void assignNear(LoadedFuture future, Collection<LoadedFuture> upstreams) {
        Locality locality = future.record().getSchedulingSpec().getLocality();
        if (!locality.hasNear()) {
            return;
        }
        upstreams.stream()
                .filter(upstream -> Ids.bytes(upstream.id()).equals(locality.getNear())
                        && upstream.record().getResult().hasObject())
                .findFirst()
                .ifPresent(upstream -> future.change()
                        .setAssignedSeat(upstream.record()
                                .getResult()
                                .getObject()
                                .getCopies(0)
                                .getSeat()));
    }

    /**
     * Assigns a call to the worker that has the actor's state in memory, unless it may run beside others or its
     * submitter wants another one.
     */
    public static void assignToHost(LoadedFuture call, @Nullable String host) {
        if (host != null
                && !host.isEmpty()
                && call.record().getArgumentKind() == ArgumentKind.ARGUMENT_KIND_ACTOR
                && call.record().getSchedulingSpec().getConcurrentCallsMax() <= 1
                && !call.record().getSchedulingSpec().hasLocality()) {
            call.change().setAssignedSeat(host);
        }
    }
}
