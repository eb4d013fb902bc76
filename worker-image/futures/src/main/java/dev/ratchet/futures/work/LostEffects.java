/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import dev.ratchet.membership.Member;
import dev.ratchet.store.environment.Environment;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When what a dead worker did outside of the store has stopped. A refused connection makes others take over its claims
 * at once, which their tokens make safe for what is recorded; for anything else the worker has to be without its lease,
 * which ends it. That is so once it has been dead, without a beat in between, for as long as others must see no beat
 * before they may call a silent one dead. Counted by the clock of this process alone, and forgotten with it: whoever
 * starts counts anew. Thread-safe.
 */
final class LostEffects {

    private static final Logger LOG = LoggerFactory.getLogger(LostEffects.class);

    private final Environment environment;
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

    LostEffects(Environment environment, Release release) {
        this.environment = environment;
        this.release = release;
    }

    /** The incarnation is thought to be dead. */
    void found(String seat, long incarnation) {
        foundNanos.putIfAbsent(new Incarnation(seat, incarnation), environment.nanoTime());
    }

    /**
     * Whether incarnations up to this one may still have effects: for how long they may from their last beat on, or 0.
     */
    long keptMillis(Member member, long incarnation) {
        Long found = foundNanos.get(new Incarnation(member.seat(), incarnation));
        long ttlMillis = member.observerTtlMillis();
        return found == null || environment.nanoTime() - found < ttlMillis * 1_000_000 ? ttlMillis : 0;
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
