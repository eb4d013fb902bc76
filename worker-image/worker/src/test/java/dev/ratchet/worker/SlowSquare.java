/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.client.SerializableFunction;

/** What a user's program would ship: it needs nothing but the client API. */
final class SlowSquare implements SerializableFunction<Integer, Integer> {
    private static final long serialVersionUID = 1L;

    @Override
    public Integer apply(Integer number) throws InterruptedException {
        Thread.sleep(20);
        return number * number;
    }
}
