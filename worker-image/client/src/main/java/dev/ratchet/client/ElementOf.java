/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.List;

/** What {@link Ratchet#split} runs for each element; not for use by programs. */
record ElementOf<T>(int index) implements SerializableFunction<List<T>, T> {

    private static final long serialVersionUID = 1;

    @Override
    public T apply(List<T> list) {
        if (index >= list.size()) {
            throw new IllegalStateException(
                    "The list has " + list.size() + " elements, and element " + index + " was asked for");
        }
        return list.get(index);
    }
}
