/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.settle;

import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.protocol.futures.v1.Failure;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.FutureRecordOrBuilder;
import dev.ratchet.protocol.futures.v1.Requirements;
import dev.ratchet.protocol.futures.v1.RetryPolicy;
import java.util.Collection;
import java.util.List;

/** Whether a failed attempt is tried again, when, where, and with how much memory. Decides by the record alone. */
public final class Retries {

    /** Seats that one future avoids, the latest. */
    private static final int AVOIDED_MAX = 8;

    private static final int PERCENT = 100;
    private static final int MULTIPLIER_PERCENT = 200;

    private Retries() {}

    /** Whether another attempt is allowed after this failure. */
    static boolean allow(FutureRecordOrBuilder record, Failure failure) {
        if (record.getNumAttempts() > record.getMaxRetries()) {
            return false;
        }
        if (failure.getKind() == FailureKind.FAILURE_KIND_WORKER_LOST) {
            return true;
        }
        RetryPolicy policy = record.getSchedulingSpec().getRetries();
        Collection<String> types = failure.getTypesCount() == 0 ? List.of(failure.getType()) : failure.getTypesList();
        boolean named = policy.getRetryOnCount() == 0
                || policy.getRetryOnList().stream().anyMatch(types::contains);
        return named && policy.getFailOnList().stream().noneMatch(types::contains);
    }

    /** Changes the record for the next attempt. */
    static void prepare(LoadedFuture future, Failure failure, AntiAffinity elsewhere, long nowMillis) {
        FutureRecord.Builder record = future.change();
        long delay = delayMillis(record.getSchedulingSpec().getRetries(), record.getNumAttempts());
        if (delay > 0) {
            record.setNotBeforeWallMillis(nowMillis + delay);
        }
        boolean lost = failure.getKind() == FailureKind.FAILURE_KIND_WORKER_LOST;
        if (lost || failure.getKind() == FailureKind.FAILURE_KIND_OUT_OF_MEMORY) {
            // A worker that has used up its memory ends without saying so.
            if (!Cancellation.isKill(failure)) {
                raise(record);
            }
            avoid(record, failure.getSeat());
            if (!record.getSchedulingSpec().getLocality().getRequired()) {
                elsewhere
                        .choose(SchedulingSpecs.requirements(record), record.getAvoidedSeatsList())
                        .ifPresent(record::setAssignedSeat);
            }
        }
    }

    /** How long to wait after so many attempts. */
    public static long delayMillis(RetryPolicy policy, int attempts) {
        double factor = (policy.getMultiplierPercent() == 0 ? MULTIPLIER_PERCENT : policy.getMultiplierPercent())
                / (double) PERCENT;
        double delay = (double) policy.getFirstDelayMillis() * Math.pow(factor, Math.max(0, attempts - 1));
        return (long) Math.min(delay, (double) policy.getDelayMillisMax());
    }

    private static void avoid(FutureRecord.Builder record, String seat) {
        List<String> avoided = record.getAvoidedSeatsList().stream()
                .filter(other -> !other.equals(seat))
                .toList();
        int from = Math.max(0, avoided.size() - AVOIDED_MAX + 1);
        record.clearAvoidedSeats()
                .addAllAvoidedSeats(avoided.subList(from, avoided.size()))
                .addAvoidedSeats(seat);
    }

    private static void raise(FutureRecord.Builder record) {
        int percent = record.getSchedulingSpec().getRetries().getMemoryPercent();
        Requirements present = SchedulingSpecs.requirements(record);
        if (percent > PERCENT && present.getMemoryBytes() > 0) {
            record.setRaisedRequirements(
                    present.toBuilder().setMemoryBytes(present.getMemoryBytes() / PERCENT * percent));
            record.setPartition(SchedulingSpecs.partition(record));
        }
    }
}
