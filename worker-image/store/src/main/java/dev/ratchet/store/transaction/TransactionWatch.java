/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A watch before its transaction has committed: remembers the value it was set at, and whether later writes of the same
 * transaction have changed it. Guarded by its transaction's lock.
 */
final class TransactionWatch {

    final byte[] key;
    final CompletableFuture<@Nullable Void> future = new CompletableFuture<>();
    private boolean valueKnown;
    private byte @Nullable [] value;
    private boolean setKnown;
    private byte @Nullable [] setValue;
    private boolean fired;

    TransactionWatch(byte[] key) {
        this.key = key;
    }

    /** The value that a change is measured against. Returns whether a write has changed it meanwhile. */
    boolean readValue(byte @Nullable [] read) {
        valueKnown = true;
        value = read;
        fired |= setKnown && !Arrays.equals(setValue, value);
        return fired;
    }

    /** The same transaction sets the key, or clears it. Returns whether that fires the watch. */
    boolean set(byte @Nullable [] written) {
        if ((setKnown && !Arrays.equals(setValue, written)) || (valueKnown && !Arrays.equals(value, written))) {
            fired = true;
        }
        setKnown = true;
        setValue = written;
        return fired;
    }

    /** The same transaction changes the key in a way that is not known before the commit. */
    void change() {
        fired = true;
    }

    boolean isFired() {
        return fired;
    }

    /** What the key held, or what the transaction wrote there. */
    byte @Nullable [] expected() {
        return setKnown ? setValue : value;
    }
}
