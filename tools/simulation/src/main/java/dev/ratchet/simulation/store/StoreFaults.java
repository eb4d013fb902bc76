/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.store;

import dev.ratchet.store.transaction.ErrorCode;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * How often calls to the store fail in the ways that FoundationDB's do, whatever they ask. Rates are per mille of the
 * calls that an error can happen to.
 *
 * @param unknownPerMille commits that end in 1021; half of them have happened
 * @param conflictPerMille commits refused with 1020 although nothing conflicts
 * @param tooOldPerMille reads and commits refused with 1007
 * @param behindPerMille reads refused with 1037
 * @param slowMillis every call takes up to so much longer
 */
public record StoreFaults(
        int unknownPerMille, int conflictPerMille, int tooOldPerMille, int behindPerMille, int slowMillis) {

    public static final StoreFaults NONE = new StoreFaults(0, 0, 0, 0, 0);

    /** What may happen to one commit. */
    enum Commit {
        AS_USUAL,
        UNKNOWN_AND_DONE,
        UNKNOWN_AND_NOT_DONE,
        CONFLICT,
        TOO_OLD
    }

    Commit ofCommit(SplittableRandom random) {
        int dice = random.nextInt(1_000);
        if (dice < unknownPerMille) {
            return random.nextBoolean() ? Commit.UNKNOWN_AND_DONE : Commit.UNKNOWN_AND_NOT_DONE;
        }
        if (dice < unknownPerMille + conflictPerMille) {
            return Commit.CONFLICT;
        }
        return dice < unknownPerMille + conflictPerMille + tooOldPerMille ? Commit.TOO_OLD : Commit.AS_USUAL;
    }

    @Nullable
    Integer ofRead(SplittableRandom random) {
        int dice = random.nextInt(1_000);
        if (dice < tooOldPerMille) {
            return ErrorCode.TRANSACTION_TOO_OLD;
        }
        return dice < tooOldPerMille + behindPerMille ? ErrorCode.PROCESS_BEHIND : null;
    }

    long delayNanos(SplittableRandom random) {
        return slowMillis == 0 ? 0 : random.nextLong(slowMillis * 1_000_000L);
    }
}
