/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.function.Consumer;

/**
 * Hands each new state of an object to one consumer and its end to another: reactions here depend on what is, not on
 * what changed.
 */
public record Follower<T>(Consumer<T> present, Consumer<T> gone) implements ResourceEventHandler<T> {

    @Override
    public void onAdd(T object) {
        present.accept(object);
    }

    @Override
    public void onUpdate(T before, T object) {
        present.accept(object);
    }

    @Override
    public void onDelete(T object, boolean isFinalStateUnknown) {
        gone.accept(object);
    }
}
