/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import java.util.HashSet;
import java.util.Set;

/**
 * Owns the loopback addresses of pods, 127.128.0.0/9 without its first and last block. Invariant: no two pods that
 * still have processes share one. They are handed out in turn, so that an address that a peer still remembers is not
 * given to somebody else at once.
 */
final class PodAddresses {

    private static final int BLOCK = 250 * 250;

    private final int block;
    private final Set<String> taken = new HashSet<>();
    private int next;

    /** @param seed two environments on one machine with different seeds mostly get different blocks */
    PodAddresses(int seed) {
        block = 129 + Math.floorMod(seed, 125);
    }

    synchronized String take() {
        for (int i = 0; i < BLOCK; i++) {
            int number = Math.floorMod(next++, BLOCK);
            String address = "127." + block + "." + number / 250 + "." + (1 + number % 250);
            if (taken.add(address)) {
                return address;
            }
        }
        throw new IllegalStateException(
                "all " + BLOCK + " pod addresses of 127." + block + ".0.0/16 are taken; delete pods");
    }

    synchronized void giveBack(String address) {
        taken.remove(address);
    }
}
