/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import java.util.List;

/** Sees nobody, and takes everybody for dead. */
final class NoLiveness implements Liveness {

    @Override
    public boolean isDead(String seat, long incarnation) {
        return true;
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
