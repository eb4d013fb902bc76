/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.definitions;

import dev.ratchet.local.apiserver.json.FieldError;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** What the rules of one definition may cost, each and together, and what they do cost. */
final class RuleBudget {
    private static final long EXPRESSION_MAX = 10_000_000;
    private static final long DEFINITION_MAX = 100_000_000;
    /** Rules below this are not told as the expensive ones. */
    private static final long TOLD_MIN = DEFINITION_MAX / 100;

    private static final int TOLD_MAX = 4;

    private record Spent(String path, long cost) {}

    private final List<Spent> expensive = new ArrayList<>();
    private long total;

    /** Counts an expression; {@code kind} is what messages call it. */
    void spend(String kind, String path, long cost, List<FieldError> errors) {
        if (cost > EXPRESSION_MAX) {
            errors.add(FieldError.forbidden(path, message("estimated " + kind + " cost", cost, EXPRESSION_MAX)));
        }
        total = SizeRange.sum(total, cost);
        if (cost >= TOLD_MIN) {
            expensive.add(new Spent(path, cost));
        }
    }

    /** Says whether all together cost too much. */
    void settle(String path, List<FieldError> errors) {
        if (total <= DEFINITION_MAX) {
            return;
        }
        expensive.stream()
                .sorted(Comparator.comparing(Spent::cost).reversed())
                .limit(TOLD_MAX)
                .forEach(spent -> errors.add(FieldError.forbidden(
                        spent.path(),
                        "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema")));
        errors.add(FieldError.forbidden(
                path,
                message(
                        "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema",
                        total,
                        DEFINITION_MAX)));
    }

    private static String message(String what, long cost, long limit) {
        double times = (double) cost / limit;
        String factor =
                times > 100 ? "more than 100x" : String.format(Locale.ROOT, times < 1.5 ? "%fx" : "%.1fx", times);
        return what + " exceeds budget by factor of " + factor + " (try simplifying the rule, or adding maxItems, "
                + "maxProperties, and maxLength where arrays, maps, and strings are declared)";
    }
}
