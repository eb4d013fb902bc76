/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.check;

/** A rule does not hold. */
public final class RuleViolation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Rule rule;

    RuleViolation(Rule rule, String found) {
        super(rule + " (" + rule.here() + ") does not hold: " + found);
        this.rule = rule;
    }

    public Rule rule() {
        return rule;
    }
}
