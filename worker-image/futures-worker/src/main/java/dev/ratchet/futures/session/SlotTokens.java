/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import dev.ratchet.protocol.sessions.v1.HeldSlot;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How often each slot of this worker was granted, as far as it knows: of those that it has granted itself in its
 * incarnation, which nobody else grants meanwhile. Slots of a host are granted by others, too, and are not here. Safe
 * for use by several threads.
 */
final class SlotTokens {

    private final Map<Slot, Long> tokens;

    private record Slot(String resource, int number) {}

    private SlotTokens(Map<Slot, Long> tokens) {
        this.tokens = new HashMap<>(tokens);
    }

    /** Nothing is known. */
    static SlotTokens unknown() {
        return new SlotTokens(Map.of());
    }

    /** The same, for one try of a transaction. */
    synchronized SlotTokens copy() {
        return new SlotTokens(tokens);
    }

    /** Nothing where the store has to tell. */
    synchronized OptionalLong of(HeldSlot slot) {
        Long token = slot.getHost().isEmpty() ? tokens.get(new Slot(slot.getResource(), slot.getNumber())) : null;
        return token == null ? OptionalLong.empty() : OptionalLong.of(token);
    }

    synchronized void granted(HeldSlot slot) {
        if (slot.getHost().isEmpty()) {
            Long before = tokens.put(new Slot(slot.getResource(), slot.getNumber()), slot.getToken());
            assert before == null || slot.getToken() > before : "a token of a slot does not grow: " + slot;
        }
    }
}
