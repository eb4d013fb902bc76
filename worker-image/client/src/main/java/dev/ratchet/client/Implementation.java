/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** The implementation of this API on the class path, looked for once. */
final class Implementation {

    private static volatile @Nullable RatchetProvider found;

    private Implementation() {}

    /** @throws ConnectionException if there is none */
    static RatchetProvider provider() {
        RatchetProvider provider = found;
        if (provider == null) {
            provider = ServiceLoader.load(RatchetProvider.class, Ratchet.class.getClassLoader())
                    .findFirst()
                    .orElseThrow(() -> new ConnectionException("No implementation of the client API is on the class"
                            + " path. Add dev.ratchet:ratchet-futures."));
            found = provider;
        }
        return provider;
    }
}
