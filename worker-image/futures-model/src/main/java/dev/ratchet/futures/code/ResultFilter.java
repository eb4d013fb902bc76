/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.code;

import java.io.ObjectInputFilter;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Limits one reading of a result, so that its bytes bound what reading it takes: all arrays together are no larger than
 * they could fill, nothing is nested deeper than the stack has room for. What they do not bound is the time that sets
 * and maps take for the hashes of what they hold: it grows with each level below them, and is told, so that the reader
 * can bound it. Used once, by one thread.
 */
final class ResultFilter implements ObjectInputFilter {

    /** Objects in objects. */
    static final int DEPTH_MAX = 2_000;

    /** Levels below a set or a map that are hashed as fast as they are read. */
    private static final int HASHED_DEPTH_MAX = 4;

    /** What serialised sets and maps have for each of their bytes at most, and at least in all. */
    private static final int ELEMENTS_PER_BYTE = 4;

    private static final int ELEMENTS_MIN = 1 << 16;

    private final ResultClasses classes;
    private final long elementsMax;
    private final boolean timeBounded;

    private int shallowestHash = Integer.MAX_VALUE - HASHED_DEPTH_MAX;
    private long deepest;
    private long elements;
    private boolean slow;
    private @Nullable String refusal;

    /** @param timeBounded whether deep sets are no reason to stop */
    ResultFilter(ResultClasses classes, long bytes, boolean timeBounded) {
        this.classes = classes;
        this.elementsMax = Math.max(ELEMENTS_MIN, ELEMENTS_PER_BYTE * bytes);
        this.timeBounded = timeBounded;
    }

    /** Whether reading was stopped because it may take any time. */
    boolean isSlow() {
        return slow;
    }

    /** Why reading was stopped for good; null if it was not. */
    @Nullable
    String refusal() {
        return refusal;
    }

    @Override
    public Status checkInput(FilterInfo info) {
        if (info.depth() > DEPTH_MAX) {
            return refuse("its objects are nested more than " + DEPTH_MAX + " deep");
        }
        elements += Math.max(0, info.arrayLength());
        if (elements > elementsMax) {
            return refuse("it announces arrays of " + elements + " elements, more than its bytes can fill");
        }
        Class<?> type = info.serialClass();
        if (type != null && !classes.allow(type)) {
            return refuse("it holds a " + type.getName() + ", a class that is neither a plain value of the JDK nor in"
                    + " the artifacts of this connection. ConnectionOptions.withResultClasses allows more");
        }
        if (type != null && isHashing(type)) {
            shallowestHash = (int) Math.min(shallowestHash, info.depth());
        }
        deepest = Math.max(deepest, info.depth());
        if (!timeBounded && deepest - shallowestHash >= HASHED_DEPTH_MAX) {
            slow = true;
            return Status.REJECTED;
        }
        return Status.ALLOWED;
    }

    private static boolean isHashing(Class<?> type) {
        return Map.class.isAssignableFrom(type)
                || Set.class.isAssignableFrom(type)
                || type.getName().equals("java.util.CollSer");
    }

    private Status refuse(String reason) {
        refusal = reason;
        return Status.REJECTED;
    }
}
