/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.recover;

import dev.ratchet.futures.object.ObjectLocator.Sources;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.Result;
import dev.ratchet.protocol.futures.v1.StoredObject;
import java.util.Collection;
import java.util.Optional;

/**
 * How long it takes to compute a result again: the attempt that made it, and those upstreams that most likely have to
 * be computed again with it. An upstream that has a second copy and stays is where computing again would stop.
 */
public final class RecomputationTime {

    /** What is kept for less after its end may be gone when it is needed again. */
    private static final long RETENTION_MILLIS_MIN = 3_600_000;

    private static final long MILLIS_MAX = Long.MAX_VALUE / 4;

    private RecomputationTime() {}

    /** What stands behind upstreams, together. */
    public static long millis(Collection<Sources> upstreams) {
        long sum = 0;
        for (Sources upstream : upstreams) {
            Optional<FutureRecord> lost = upstream.record()
                    .filter(record -> record.getResult().hasObject())
                    .filter(record -> upstream.alive().size() < 2 || !stays(record));
            sum = Math.min(
                    MILLIS_MAX,
                    sum
                            + lost.map(record -> record.getResult().getObject().getLineageMillis())
                                    .orElse(0L));
        }
        return sum;
    }

    private static boolean stays(FutureRecord record) {
        return !record.getSchedulingSpec().hasRetentionMillis()
                || record.getSchedulingSpec().getRetentionMillis() >= RETENTION_MILLIS_MIN;
    }

    /** The outcome, with what stands behind its result where that is in an object store. */
    public static Outcome with(Outcome outcome, long millis) {
        if (!(outcome instanceof Outcome.Realized realized)
                || !realized.result().hasObject()) {
            return outcome;
        }
        StoredObject object = realized.result().getObject();
        return new Outcome.Realized(
                Result.newBuilder()
                        .setObject(object.toBuilder().setLineageMillis(millis))
                        .build(),
                realized.effects(),
                realized.left(),
                realized.large());
    }
}
