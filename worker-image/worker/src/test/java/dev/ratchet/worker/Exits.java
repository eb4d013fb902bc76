/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.client.SerializableCallable;

/** Code that ends the process that it runs in. */
final class Exits implements SerializableCallable<Integer> {
    private static final long serialVersionUID = 1L;

    @Override
    public Integer call() {
        System.exit(7);
        return 7;
    }
}
