/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import java.util.List;
import java.util.function.Consumer;

/** {@link Liveness} for who watches connections between seats. */
public interface SeatWatch extends Liveness {

    /**
     * A connection to or from {@code seat} has just broken: reads the seats, as its holder may be too new to be known,
     * and suspects who holds it now.
     */
    void suspectHolder(String seat);

    /** Is told of each successful read of the seats, in order; must not block. At most 64 listeners. */
    void onRead(Consumer<List<Member>> listener);
}
