/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.record;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What tells two programs apart, for people. */
public final class ListingDifference {

    private static final int LINES_MAX = 4;
    private static final int LINE_LENGTH_MAX = 120;

    private ListingDifference() {}

    /** The lines of each that the other lacks, a few of them; both as {@code CompiledProgram.listing} gives them. */
    public static String of(List<String> before, List<String> now) {
        List<String> gone = without(before, now);
        List<String> added = without(now, before);
        if (gone.isEmpty() && added.isEmpty()) {
            return "the same in another order";
        }
        List<String> parts = new ArrayList<>();
        if (!added.isEmpty()) {
            parts.add("it has " + some(added) + " more");
        }
        if (!gone.isEmpty()) {
            parts.add("it lacks " + some(gone));
        }
        return String.join(" and ", parts);
    }

    private static List<String> without(List<String> of, List<String> others) {
        List<String> rest = new ArrayList<>(of);
        others.forEach(rest::remove);
        return rest;
    }

    private static String some(List<String> lines) {
        String shown = lines.stream()
                .limit(LINES_MAX)
                .map(line -> line.length() > LINE_LENGTH_MAX ? line.substring(0, LINE_LENGTH_MAX) + "…" : line)
                .collect(Collectors.joining(", ", "[", ""));
        int others = lines.size() - LINES_MAX;
        return shown + (others > 0 ? " and " + others + " others]" : "]");
    }
}
