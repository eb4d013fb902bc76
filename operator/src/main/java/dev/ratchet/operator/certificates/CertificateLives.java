/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.certificates;

import java.time.Duration;

/**
 * Owns how long certificates live.
 *
 * @param leaf of workers, stores, clients and the operator; replaced after two thirds
 * @param authority of the authority; replaced after two thirds
 * @param announcement how long a new authority is trusted before it signs: longer than any kubelet takes to bring a
 *     Secret to its pods
 */
public record CertificateLives(Duration leaf, Duration authority, Duration announcement) {
    private static final Duration LEAF_MIN = Duration.ofMinutes(1);
    private static final int AUTHORITY_TO_LEAF_MIN = 3;

    public CertificateLives {
        if (leaf.compareTo(LEAF_MIN) < 0 || authority.compareTo(leaf.multipliedBy(AUTHORITY_TO_LEAF_MIN)) < 0) {
            throw new IllegalArgumentException("certificates live " + leaf + " and their authority " + authority
                    + ": the first must be at least " + LEAF_MIN + " and the second " + AUTHORITY_TO_LEAF_MIN
                    + " times the first");
        }
    }

    /** Certificates of {@code days} days below an authority of five years or more. */
    public static CertificateLives ofDays(int days) {
        return new CertificateLives(
                Duration.ofDays(days), Duration.ofDays(Math.max(1826, 10L * days)), Duration.ofMinutes(10));
    }
}
