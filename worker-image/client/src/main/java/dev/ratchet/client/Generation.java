/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/**
 * The task of a generator as it travels; its value is the number of items.
 *
 * @param body emits them
 */
public record Generation<T>(SerializableGenerator<T> body) implements SerializableFunction<Emitter<T>, Long> {

    @Override
    public Long apply(Emitter<T> out) throws Exception {
        body.generate(out);
        return out.flush();
    }
}
