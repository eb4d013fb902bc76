/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.run;

import java.util.Map;
import java.util.TreeMap;

/**
 * What a process has counted since the first step. It is part of each version of the state, so that steps which are
 * taken again count once. One thread at a time.
 */
final class StepCounts {

    private static final String RECEIVED = "dataflow.received.";
    private static final String CHANGED = "dataflow.changed.";
    private static final String ERRORS = "dataflow.errors";

    /** Rows by table; the same in all processes. */
    final Map<String, Long> received = new TreeMap<>();

    /** Rows of changes by view, of this process's share. */
    final Map<String, Long> changed = new TreeMap<>();

    /** Rows of this process's share of the errors. */
    long errors;

    /** @param attributes of a version */
    StepCounts(Map<String, String> attributes) {
        attributes.forEach((name, value) -> {
            if (name.startsWith(RECEIVED)) {
                received.put(name.substring(RECEIVED.length()), Long.valueOf(value));
            } else if (name.startsWith(CHANGED)) {
                changed.put(name.substring(CHANGED.length()), Long.valueOf(value));
            } else if (name.equals(ERRORS)) {
                errors = Long.parseLong(value);
            }
        });
    }

    Map<String, String> attributes() {
        Map<String, String> attributes = new TreeMap<>();
        received.forEach((table, rows) -> attributes.put(RECEIVED + table, Long.toString(rows)));
        changed.forEach((view, rows) -> attributes.put(CHANGED + view, Long.toString(rows)));
        attributes.put(ERRORS, Long.toString(errors));
        return attributes;
    }
}
