/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import java.util.List;

/**
 * What one check has found.
 *
 * @param keys how many keys were judged
 * @param futures how many records of futures there are
 * @param versions at how many versions of the store; more than one where the scan took longer than a version lives
 * @param violations the first {@value #VIOLATIONS_MAX}
 * @param violationCount how many there are in all
 * @param notes what could not be judged, and why
 */
public record CheckReport(
        long keys, long futures, int versions, List<Violation> violations, long violationCount, List<String> notes) {

    /** Violations that are told one by one. */
    public static final int VIOLATIONS_MAX = 1_000;

    public CheckReport {
        violations = List.copyOf(violations);
        notes = List.copyOf(notes);
    }

    public boolean isClean() {
        return violationCount == 0;
    }
}
