/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store;

import dev.ratchet.store.engine.EngineSettings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How an embedded store is opened.
 *
 * @param directory where it lives; null for in memory alone
 * @param syncs whether a commit is acknowledged only once the disk has it; false trades a power failure for speed
 * @param engine window and memory limits
 */
public record EmbeddedOptions(@Nullable Path directory, boolean syncs, EngineSettings engine) {

    /** A durable store. */
    public static EmbeddedOptions in(Path directory) {
        return new EmbeddedOptions(directory, true, EngineSettings.DEFAULT);
    }

    /** A store that ends with the process. */
    public static EmbeddedOptions inMemory() {
        return new EmbeddedOptions(null, false, EngineSettings.DEFAULT);
    }

    /**
     * The same with so much memory for data; what does not fit is on the disk alone.
     *
     * @throws IllegalArgumentException if that is too little, see {@link EngineSettings#withDataBytesMax}
     */
    public EmbeddedOptions withDataBytesMax(long bytes) {
        return new EmbeddedOptions(directory, syncs, engine.withDataBytesMax(bytes));
    }
}
