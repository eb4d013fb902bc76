/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import dev.ratchet.environment.Environment;

/** Versions by the clock: a million a second from a starting one, as FoundationDB counts them. */
final class VersionClock {

    private final Environment environment;
    private final long startNanos;
    private final long startVersion;

    VersionClock(Environment environment, long startVersion) {
        this.environment = environment;
        this.startVersion = startVersion;
        startNanos = environment.nanoTime();
    }

    long version() {
        return startVersion + (environment.nanoTime() - startNanos) / 1000;
    }
}
