/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.objects.v1.AdoptReply;
import dev.ratchet.protocol.objects.v1.AdoptRequest;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Takes copies of objects that another worker wants to be rid of. The copy counts from when the other one has recorded
 * it. If that does not happen because the result is gone meanwhile, the other one's transaction tells this worker to
 * delete it; if the other one dies before, it is found unlisted after a while.
 */
public final class Adoption implements Function<AdoptRequest, CompletableFuture<AdoptReply>> {

    private final FutureStore store;
    private final Seat seat;
    private final Members members;
    private final Liveness liveness;
    private final ObjectLocator locator;

    public Adoption(FutureStore store, Seat seat, Members members, Liveness liveness, ObjectLocator locator) {
        this.store = store;
        this.seat = seat;
        this.members = members;
        this.liveness = liveness;
        this.locator = locator;
    }

    @Override
    public CompletableFuture<AdoptReply> apply(AdoptRequest request) {
        if (!seat.mayWork()) {
            return CompletableFuture.failedFuture(
                    new IllegalStateException("This worker takes nothing: state=" + seat.state()));
        }
        return address(request.getSourceSeat())
                .thenCompose(address -> locator.copy(
                        request.getSourceSeat(),
                        address,
                        ObjectsService.name(request.getName()),
                        request.getBytes(),
                        request.getChecksum()))
                .thenApply(stored -> AdoptReply.newBuilder()
                        .setSeat(seat.name())
                        .setIncarnation(seat.incarnation())
                        .build());
    }

    /**
     * Where the source is, as far as is known here: at another address there is another incarnation without objects.
     */
    private CompletableFuture<String> address(String source) {
        return liveness.latest().stream()
                .filter(member -> member.seat().equals(source))
                .findFirst()
                .map(member -> CompletableFuture.completedFuture(member.address()))
                .orElseGet(() -> store.read(transaction -> members.one(transaction, source))
                        .thenApply(
                                member -> member.orElseThrow(() -> new IllegalStateException("No such seat: " + source))
                                        .address()));
    }
}
