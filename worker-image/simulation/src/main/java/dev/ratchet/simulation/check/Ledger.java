/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.check;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Which rules were looked at how often, and the first that did not hold. */
final class Ledger {

    private final Map<Rule, Long> looks = new EnumMap<>(Rule.class);
    private @Nullable Violation first;

    void require(Rule rule, boolean holds, Supplier<String> found) {
        looks.merge(rule, 1L, Long::sum);
        if (!holds && first == null) {
            first = new Violation(rule, found.get());
        }
    }

    void throwFirst() {
        if (first != null) {
            throw first;
        }
    }

    Map<Rule, Long> looks() {
        return looks;
    }
}
