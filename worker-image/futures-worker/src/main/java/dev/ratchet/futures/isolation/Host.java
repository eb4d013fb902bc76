/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import com.google.protobuf.ByteString;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A process and the attempts in it, its guests. One of them runs at a time; others wait for other futures, or were told
 * to end. Knows who has to answer for the end of the process. Safe for use by several threads.
 */
final class Host {

    private final Kind kind;
    private final HostProcess process;
    private final Semaphore turn = new Semaphore(1, true);
    private final Set<Guest> guests = new HashSet<>();
    private boolean reusable = true;
    private boolean ended;
    private boolean used;

    /** Which tasks a process can run. */
    record Kind(List<ByteString> artifacts, long heapBytes) {}

    Host(Kind kind, HostProcess process) {
        this.kind = kind;
        this.process = process;
        process.whenGone(() -> ended(null));
    }

    Kind kind() {
        return kind;
    }

    HostProcess process() {
        return process;
    }

    /** An attempt in the process. Used by the thread of the attempt. */
    final class Guest {

        private final boolean hosted;
        private boolean suspended;
        private boolean hasTurn = true;
        private boolean displaced;

        private Guest(boolean hosted) {
            this.hosted = hosted;
        }

        Host host() {
            return Host.this;
        }

        HostProcess process() {
            return process;
        }

        /** Whether it runs beside others that wait. */
        boolean isHosted() {
            return hosted;
        }

        /** It waits for other futures: another one may run. */
        void suspend() {
            synchronized (Host.this) {
                suspended = true;
            }
            release();
        }

        /**
         * It goes on: when no other runs; at once if it was told to end, or is now by an interrupt, which stays
         * pending.
         */
        void resume(boolean toldToEnd) {
            try {
                if (!toldToEnd) {
                    turn.acquire();
                    hasTurn = true;
                }
            } catch (InterruptedException now) {
                Thread.currentThread().interrupt();
            }
            synchronized (Host.this) {
                suspended = false;
            }
        }

        /** The process has to be ended on its account: the others are displaced. */
        void spoil() {
            ended(this);
        }

        /** Whether the process has ended on account of another one. */
        boolean isDisplaced() {
            synchronized (Host.this) {
                return displaced;
            }
        }

        private void release() {
            if (hasTurn) {
                hasTurn = false;
                turn.release();
            }
        }
    }

    /** Lets an attempt in, which runs at once; null where that can not be. */
    synchronized @Nullable Guest admit() {
        if (ended || !process.isAlive() || turn.hasQueuedThreads() || !turn.tryAcquire()) {
            return null;
        }
        Guest guest = new Guest(!guests.isEmpty());
        guests.add(guest);
        used = true;
        return guest;
    }

    /** Takes an attempt out. */
    synchronized void leave(Guest guest, boolean endedByItself) {
        reusable &= endedByItself;
        guests.remove(guest);
        guest.release();
    }

    /** How many attempts are in it. */
    synchronized int size() {
        return guests.size();
    }

    /** Forgets that it has been used; whether it had been since this was called for the last time. */
    synchronized boolean clearUsed() {
        boolean before = used;
        used = false;
        return before;
    }

    /** Whether an attempt in it waits for other futures. */
    synchronized boolean isSuspended() {
        return guests.stream().anyMatch(guest -> guest.suspended);
    }

    /** Whether the next attempt may have the process. */
    synchronized boolean isReusable() {
        return reusable && !ended && process.isAlive();
    }

    /**
     * Decides once whose attempt the end costs: that of the culprit; unless there is one, of those that ran; unless
     * there are any, of all.
     */
    private synchronized void ended(@Nullable Guest culprit) {
        if (ended) {
            return;
        }
        ended = true;
        boolean oneRan = guests.stream().anyMatch(guest -> !guest.suspended);
        for (Guest guest : guests) {
            guest.displaced = culprit != null ? guest != culprit : oneRan && guest.suspended;
        }
    }
}
