/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.check;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Which rules were looked at how often, and the first that did not hold. */
final class Ledger {

    private final Map<Rule, LongAdder> looks = new EnumMap<>(Rule.class);
    private @Nullable RuleViolation first;

    void require(Rule rule, boolean holds, Supplier<String> found) {
        looks.computeIfAbsent(rule, unseen -> new LongAdder()).increment();
        if (!holds && first == null) {
            first = new RuleViolation(rule, found.get());
        }
    }

    void throwFirst() {
        if (first != null) {
            throw first;
        }
    }

    /** How often; rules that were never looked at are not in it. */
    Map<Rule, Long> looks() {
        Map<Rule, Long> found = new EnumMap<>(Rule.class);
        looks.forEach((rule, times) -> found.put(rule, times.sum()));
        return found;
    }
}
