/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

/** How the weight of a row in a result follows from its weights in one or two inputs: the set operations of SQL. */
public enum WeightLaw {
    /** Once where the row is there at all: DISTINCT, UNION. */
    DISTINCT {
        @Override
        long of(long left, long right) {
            return left > 0 ? 1 : 0;
        }
    },
    /** As often as on the left, once less for each on the right: EXCEPT ALL. */
    EXCEPT_ALL {
        @Override
        long of(long left, long right) {
            return Math.max(0, Math.max(0, left) - Math.max(0, right));
        }
    },
    /** Once where it is only on the left: EXCEPT. */
    EXCEPT {
        @Override
        long of(long left, long right) {
            return left > 0 && right <= 0 ? 1 : 0;
        }
    },
    /** As often as on the side where it is rarer: INTERSECT ALL. */
    INTERSECT_ALL {
        @Override
        long of(long left, long right) {
            return Math.max(0, Math.min(left, right));
        }
    },
    /** Once where it is on both sides: INTERSECT. */
    INTERSECT {
        @Override
        long of(long left, long right) {
            return left > 0 && right > 0 ? 1 : 0;
        }
    };

    abstract long of(long left, long right);
}
