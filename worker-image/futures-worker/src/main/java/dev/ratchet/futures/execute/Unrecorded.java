/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import java.util.Map;
import java.util.Optional;

/** Forgets large results that no record names, because the attempt that made them was refused. */
public final class Unrecorded {

    private final ObjectStore objects;

    Unrecorded(ObjectStore objects) {
        this.objects = objects;
    }

    /** Forgets the result of an attempt. */
    void discard(Claimed claimed, Outcome outcome) {
        discard(claimed.id(), claimed.token(), outcome);
    }

    /** Forgets the results of attempts that were to be recorded with their futures, and were not. */
    public void discardBut(
            Map<FutureId, FutureRecord> done, ClaimToken token, Map<FutureId, Optional<Outcome>> outcomes) {
        outcomes.forEach((id, outcome) -> {
            FutureRecord record = done.containsKey(id) ? done.get(id) : done.get(BlockIds.sentAs(id));
            if (record == null || !record.getClaim().equals(token)) {
                outcome.ifPresent(refused -> discard(id, token, refused));
            }
        });
    }

    private void discard(FutureId id, ClaimToken token, Outcome outcome) {
        if (outcome instanceof Outcome.Realized realized && realized.result().hasObject()) {
            objects.delete(ObjectName.of(id, token));
        } else if (outcome instanceof Outcome.OfBlock block) {
            block.ended().forEach((one, ended) -> ended.ifPresent(refused -> discard(one, token, refused)));
        }
    }
}
