/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import java.util.List;
import java.util.function.Predicate;

/** Observes nobody, and takes for dead whom a test says. */
public record ToldLiveness(Predicate<String> dead) implements Liveness {

    /** Takes everybody for dead. */
    public static ToldLiveness allDead() {
        return new ToldLiveness(seat -> true);
    }

    @Override
    public boolean isDead(String seat, long incarnation) {
        return dead.test(seat);
    }

    @Override
    public void suspect(String seat, long incarnation) {}

    @Override
    public List<Member> latest() {
        return List.of();
    }

    @Override
    public void addListener(DeathListener listener) {}
}
