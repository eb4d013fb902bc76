/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * Observes nobody.
 *
 * @param latest the seats as it has read them
 * @param dead which seats it takes for dead
 * @param silent for how many milliseconds it has seen no beat of anybody
 */
public record ToldLiveness(List<Member> latest, Predicate<String> dead, OptionalLong silent) implements Liveness {

    public static ToldLiveness of(List<Member> latest, Predicate<String> dead) {
        return new ToldLiveness(latest, dead, OptionalLong.empty());
    }

    /** Takes everybody for dead. */
    public static ToldLiveness allDead() {
        return of(List.of(), seat -> true);
    }

    /** Takes everybody for dead, after a silence. */
    public static ToldLiveness silentFor(long millis) {
        return new ToldLiveness(List.of(), seat -> true, OptionalLong.of(millis));
    }

    @Override
    public boolean isDead(String seat, long incarnation) {
        return dead.test(seat);
    }

    @Override
    public OptionalLong silentMillis(String seat, long incarnation) {
        return silent;
    }

    @Override
    public void suspect(String seat, long incarnation) {}

    @Override
    public void addListener(DeathListener listener) {}
}
