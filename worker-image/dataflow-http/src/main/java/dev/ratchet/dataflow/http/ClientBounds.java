/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Owns how many requests each client has open and begins in a second, so that none takes the place of the others. A
 * client above its share is told when to come again. Clients are known by name, of which there are as many as the
 * cluster admits. Safe for use by several threads.
 */
final class ClientBounds {

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final int openMax;
    private final int perSecond;
    private final LongSupplier nanos;
    private final Map<String, Share> shares = new HashMap<>();

    ClientBounds(int openMax, int perSecond, LongSupplier nanos) {
        this.openMax = openMax;
        this.perSecond = perSecond;
        this.nanos = nanos;
    }

    private static final class Share {
        private int open;
        private double allowance;
        private long refilledNanos;
    }

    /** A request that counts until it is closed. */
    @FunctionalInterface
    interface Open extends AutoCloseable {
        @Override
        void close();
    }

    /** Begins a request. @throws HttpFailure with 429 where the client has or begins too many */
    synchronized Open begin(String client) {
        long now = nanos.getAsLong();
        Share share = shares.computeIfAbsent(client, name -> {
            Share fresh = new Share();
            fresh.allowance = perSecond;
            fresh.refilledNanos = now;
            return fresh;
        });
        double earned = (double) (now - share.refilledNanos) / NANOS_PER_SECOND * perSecond;
        share.allowance = Math.min(perSecond, share.allowance + earned);
        share.refilledNanos = now;
        if (share.allowance < 1) {
            throw refusal(client + " begins more than " + perSecond + " requests per second");
        }
        if (share.open >= openMax) {
            throw refusal(client + " has " + share.open + " requests open here, and " + openMax
                    + " is the limit of one client");
        }
        share.allowance--;
        share.open++;
        return () -> end(share);
    }

    private synchronized void end(Share share) {
        share.open--;
    }

    private static HttpFailure refusal(String message) {
        return new HttpFailure(429, message, "Send it again in a second, with more rows in each request")
                .header("Retry-After", "1");
    }
}
