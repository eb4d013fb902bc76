/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.BlockOutcome;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.ResultRun;
import dev.ratchet.protocol.futures.v1.State;
import java.util.List;

/** Records as clients see them. */
final class Outcomes {

    private Outcomes() {}

    static Outcome of(FutureId id, FutureRecord record) {
        Outcome.Builder outcome = Outcome.newBuilder()
                .setId(Ids.bytes(id))
                .setState(record.getState())
                .setAttempts(record.getNumAttempts());
        if (record.getState() == State.STATE_REALIZED) {
            if (record.getResult().hasObject()) {
                outcome.setValueBytes(record.getResult().getObject().getBytes());
            } else {
                outcome.setInline(record.getResult().getInline());
            }
        } else if (record.hasFailure()) {
            outcome.setFailure(record.getFailure());
        }
        return outcome.build();
    }

    /** Values of futures that are in a block. */
    static BlockOutcome of(FutureId block, List<ResultRun> runs, FutureRecord record) {
        return BlockOutcome.newBuilder()
                .setId(Ids.bytes(block))
                .addAllRuns(runs)
                .setAttempts(record.getNumAttempts())
                .build();
    }

    static Outcome unknown(FutureId id) {
        return Outcome.newBuilder()
                .setId(Ids.bytes(id))
                .setState(State.STATE_UNSPECIFIED)
                .build();
    }
}
