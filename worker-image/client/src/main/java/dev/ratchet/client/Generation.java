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
        try {
            body.generate(out);
        } catch (InterruptedException stopped) {
            throw stopped;
        } catch (Exception failed) {
            keep(out, failed);
            throw failed;
        }
        return out.flush();
    }

    /** What was emitted before the failure counts, as it would had the generator failed a little later. */
    private static void keep(Emitter<?> out, Exception failed) throws InterruptedException {
        try {
            out.flush();
        } catch (RuntimeException unrecorded) {
            failed.addSuppressed(unrecorded);
        }
    }
}
