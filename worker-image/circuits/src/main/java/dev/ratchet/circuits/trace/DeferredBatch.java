/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.trace;

import dev.ratchet.circuits.batch.Batch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A batch that whoever needs it first makes: the commit that writes it, or the trace that it belongs to. So rows are
 * sorted and encoded beside the steps. Any number of threads; they wait for the one that makes it.
 */
final class DeferredBatch {

    private @Nullable Supplier<Batch> maker;
    private @Nullable Batch made;

    /** @param maker is called once, by any thread; what it works on belongs to it */
    DeferredBatch(Supplier<Batch> maker) {
        this.maker = maker;
    }

    synchronized Batch get() {
        Batch batch = made;
        Supplier<Batch> make = maker;
        if (batch == null && make != null) {
            batch = make.get();
            made = batch;
            maker = null;
        }
        if (batch == null) {
            throw new IllegalStateException("A batch that could not be made was asked for again");
        }
        return batch;
    }
}
