/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.recover;

import dev.ratchet.environment.Environment;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When what a dead worker did outside of the store has stopped. A refused connection makes others take over its claims
 * at once, which their tokens make safe for what is recorded; for anything else the worker has to be without its lease,
 * which ends it. That is so once no beat of it was seen for as long as others must see none before they may call a
 * silent one dead: after a refusal more beats may come. Of an incarnation that another one has followed none comes any
 * more, so there it counts from when that was found. Counted by the clock of this process alone, and forgotten with it:
 * whoever starts counts anew. Thread-safe.
 */
final class LostEffects {

    private static final Logger LOG = LoggerFactory.getLogger(LostEffects.class);

    private final Environment environment;
    private final Liveness liveness;
    private final Release release;
    private final Map<Incarnation, Long> foundNanos = new ConcurrentHashMap<>();
    private final Set<Incarnation> planned = ConcurrentHashMap.newKeySet();

    /** Whose claims are kept. */
    private record Incarnation(String seat, long number) {}

    /** Releases what is held by incarnations of a seat up to this one. */
    @FunctionalInterface
    interface Release {
        CompletableFuture<?> release(String seat, long incarnation);
    }

    LostEffects(Environment environment, Liveness liveness, Release release) {
        this.environment = environment;
        this.liveness = liveness;
        this.release = release;
    }

    /** The incarnation is thought to be dead. */
    void found(String seat, long incarnation) {
        foundNanos.putIfAbsent(new Incarnation(seat, incarnation), environment.nanoTime());
    }

    /** For how long incarnations up to this one may still have effects; 0 = they have none any more. */
    long keptMillis(Member member, long incarnation) {
        long silentMillis =
                liveness.silentMillis(member.seat(), incarnation).orElseGet(() -> foundMillis(member, incarnation));
        return Math.max(0, member.observerTtlMillis() - silentMillis);
    }

    private long foundMillis(Member member, long incarnation) {
        Long found = foundNanos.get(new Incarnation(member.seat(), incarnation));
        return found == null ? 0 : (environment.nanoTime() - found) / 1_000_000;
    }

    /**
     * Everything is released but what had to be kept, which is released later.
     *
     * @param keptMillis what {@link #keptMillis} said where something was kept; else 0, also for one that is alive
     */
    void released(String seat, long incarnation, long keptMillis) {
        Incarnation dead = new Incarnation(seat, incarnation);
        if (keptMillis == 0) {
            foundNanos.remove(dead);
        } else if (planned.add(dead)) {
            environment.schedule(keptMillis, () -> {
                planned.remove(dead);
                release.release(seat, incarnation).exceptionally(failure -> {
                    LOG.warn(
                            "claims of a dead worker are released later otherSeat={} otherIncarnation={}",
                            seat,
                            incarnation,
                            failure);
                    released(seat, incarnation, keptMillis);
                    return null;
                });
            });
        }
    }
}
