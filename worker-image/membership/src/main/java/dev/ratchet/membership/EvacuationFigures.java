/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import java.util.Map;

/**
 * Names of what a worker that drains or parks says in its heartbeat of the values that it hands over, in bytes since
 * that began. A worker of an older release says nothing of it.
 */
public final class EvacuationFigures {

    /** Bytes that other workers were given. */
    public static final String MOVED = "evacuation.moved";

    /** Bytes that had to move because nobody else held them, with those that are still here. */
    public static final String BOUND = "evacuation.bound";

    private EvacuationFigures() {}

    /** Adds both figures to what is said. */
    public static void tell(Map<String, Long> said, long movedBytes, long boundBytes) {
        said.put(MOVED, movedBytes);
        said.put(BOUND, boundBytes);
    }
}
