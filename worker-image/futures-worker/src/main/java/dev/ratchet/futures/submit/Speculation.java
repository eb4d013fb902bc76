/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.submit;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.claim.WorkCounters;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.futures.submit.Submission.Submitted;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells values of futures that were run before they are recorded, between the run and the commit. Only what nothing but
 * a failure can keep from being recorded as it is: values in full, of ids that nobody can have recorded before.
 */
final class Speculation {

    private final Seat seat;
    private final WorkCounters counters;

    Speculation(Seat seat, WorkCounters counters) {
        this.seat = seat;
        this.counters = counters;
    }

    /**
     * Tells what may be told.
     *
     * @param ended how those that were run have ended
     * @return what was told
     */
    Set<FutureId> tell(SubmitRequest request, Map<FutureId, Optional<Outcome>> ended, SpeculativeValues client) {
        if (client == SpeculativeValues.NOBODY || !seat.mayWork()) {
            return Set.of();
        }
        Map<FutureId, ByteString> values = new HashMap<>();
        for (SubmittedFuture future : request.getFuturesList()) {
            FutureId id = Ids.of(future.getId());
            if (future.getTellEarly()
                    && id.isDrawn()
                    && future.getActor().isEmpty()
                    && future.getParent().isEmpty()
                    && ended.getOrDefault(id, Optional.empty()).orElse(null) instanceof Outcome.Realized realized
                    && realized.result().hasInline()) {
                values.put(id, realized.result().getInline());
            }
        }
        if (!values.isEmpty()) {
            counters.toldEarly.add(values.size());
            GuardedCallbacks.run("telling values early", () -> client.told(values));
        }
        return Set.copyOf(values.keySet());
    }

    /**
     * Counts what was told in vain.
     *
     * @param token of the run
     * @param submitted what has become of the request; null if it could not be recorded
     */
    void recorded(Set<FutureId> told, ClaimToken token, @Nullable Submitted submitted) {
        for (FutureId id : told) {
            FutureRecord record = submitted == null ? null : submitted.done().get(id);
            if (record == null || !record.getClaim().equals(token)) {
                counters.toldInVain.increment();
            }
        }
    }
}
