/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction has done at one key and from there to the next entry. Where it has no operations, the key itself
 * is part of what follows, and both say the same. Immutable.
 *
 * @param operations what was done to the key itself, oldest first, as far as it could not be merged; null for nothing
 * @param conflict whether the key itself conflicts with readers
 * @param unreadable whether the key itself may hold a versionstamp that is not known yet
 * @param cleared whether what follows was cleared
 * @param followingConflict whether what follows conflicts with readers
 * @param followingUnreadable whether what follows may hold a key that is not known yet
 */
record WriteEntry(
        Operation @Nullable [] operations,
        boolean conflict,
        boolean unreadable,
        boolean cleared,
        boolean followingConflict,
        boolean followingUnreadable) {

    /** Nothing was done. */
    static final WriteEntry UNTOUCHED = range(false, false, false);

    /** One operation; the value is null for what a comparison or a clear has removed. */
    record Operation(int type, byte @Nullable [] value) {}

    /** An entry for a range, without operations. */
    static WriteEntry range(boolean cleared, boolean conflict, boolean unreadable) {
        return new WriteEntry(null, conflict, unreadable, cleared, conflict, unreadable);
    }

    /** Whether the value can not be told without that of the database. */
    boolean isDependent() {
        Operation[] done = operations;
        return done != null && AtomicOperations.isAtomic(done[0].type);
    }

    /** Another operation after those there are, merged with the last where that gives the same. */
    Operation[] merged(Operation next) {
        Operation[] done = operations;
        if (done == null) {
            return new Operation[] {next};
        }
        Operation last = done[done.length - 1];
        boolean lastAtomic = isOperation(last.type);
        if (last.type == next.type && next.type != Mutation.COMPARE_AND_CLEAR) {
            byte[] lastValue = last.value;
            byte[] nextValue = next.value;
            boolean sameLength = lastValue == null || nextValue == null || lastValue.length == nextValue.length;
            return dependsOnLength(last.type) && !sameLength ? pushed(next) : replaced(combine(last, next));
        }
        return isOperation(next.type) && lastAtomic ? pushed(next) : replaced(combine(last, next));
    }

    /** Another operation after those there are. */
    Operation[] pushed(Operation next) {
        Operation[] done = operations;
        if (done == null) {
            return new Operation[] {next};
        }
        Operation[] more = Arrays.copyOf(done, done.length + 1);
        more[done.length] = next;
        return more;
    }

    private Operation[] replaced(Operation next) {
        Operation[] done = operations;
        if (done == null || done.length == 1) {
            return new Operation[] {next};
        }
        Operation[] changed = done.clone();
        changed[done.length - 1] = next;
        return changed;
    }

    /** The value of the key over {@code base}, the value in the database; null for none. */
    byte @Nullable [] over(byte @Nullable [] base) {
        Operation[] done = operations;
        if (done == null) {
            return cleared ? null : base;
        }
        Operation current = new Operation(Mutation.SET, base);
        for (Operation operation : done) {
            current = combine(current, operation);
        }
        return current.value;
    }

    private static Operation combine(Operation last, Operation next) {
        byte[] param = next.value;
        if (!AtomicOperations.isAtomic(next.type) || param == null) {
            return next;
        }
        int type = last.type == next.type ? last.type : Mutation.SET;
        return new Operation(type, AtomicOperations.apply(next.type, last.value, param));
    }

    private static boolean isOperation(int type) {
        return AtomicOperations.isAtomic(type)
                || type == Mutation.SET_VERSIONSTAMPED_KEY
                || type == Mutation.SET_VERSIONSTAMPED_VALUE;
    }

    /** Whether merging two of this type with parameters of different lengths gives another result than both in turn. */
    private static boolean dependsOnLength(int type) {
        return switch (type) {
            case Mutation.ADD,
                    Mutation.BIT_OR,
                    Mutation.BIT_XOR,
                    Mutation.MAX,
                    Mutation.MIN,
                    Mutation.SET_VERSIONSTAMPED_KEY,
                    Mutation.SET_VERSIONSTAMPED_VALUE -> true;
            default -> false;
        };
    }
}
