/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What this process has seen of the other seats, by its own clock only. Saying that an incarnation is dead permits
 * others to try to take over what it held; whether that is right in the end, the fences in the store decide.
 */
public interface Liveness {

    /**
     * True if {@code incarnation} of {@code seat} is dead: a higher one was issued, or it was told to die or ended, or
     * its address refuses connections, or no beat of it has been seen for its whole time to live. A seat that was never
     * taken, or not read yet, is not dead.
     */
    boolean isDead(String seat, long incarnation);

    /**
     * For how long this process has certainly seen no beat of {@code incarnation} of {@code seat}; empty where another
     * incarnation has the seat by now, or nothing was read of it.
     */
    default OptionalLong silentMillis(String seat, long incarnation) {
        return OptionalLong.empty();
    }

    /**
     * A connection to {@code incarnation} of {@code seat} has just failed. Its address is tried at once; if that is
     * refused too, the incarnation is dead.
     */
    void suspect(String seat, long incarnation);

    /** The seats as last read, at most one heartbeat period old while the store answers. */
    List<Member> latest();

    /**
     * Seats that are to drain, or that an upgrade which is under way replaces later, as last read: what moves, and what
     * is to stay where it begins, goes to others as far as there are any.
     */
    default Set<String> outgoing() {
        return Set.of();
    }

    /**
     * Reads the seats now, or joins the read that runs: {@link #latest} and {@link #outgoing} are as new as that when
     * this completes. Fails with the store's error.
     */
    default CompletableFuture<?> refresh() {
        return CompletableFuture.completedFuture(latest());
    }

    /** Is told of each incarnation found dead, once, on any thread; must not block. At most 64 listeners. */
    void addListener(DeathListener listener);

    /** A listener of deaths. */
    @FunctionalInterface
    interface DeathListener {
        void died(String seat, long incarnation);
    }
}
