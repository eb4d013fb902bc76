/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableCallable;
import java.io.Serializable;

/** Counts orders by two views, as a user's program would: it needs nothing but the client API. */
final class CountTwice implements SerializableCallable<CountTwice.Counts> {
    private static final long serialVersionUID = 1L;

    record Counts(Long byCustomer, long oneByOne) implements Serializable {}

    @Override
    public Counts call() {
        return Ratchet.current()
                .circuit()
                .query("SELECT (SELECT SUM(n) FROM order_totals) AS by_customer,"
                        + " (SELECT COUNT(*) FROM listed) AS one_by_one")
                .as(Counts.class)
                .getFirst();
    }
}
