/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.SystemEnvironment;

/** The embedded engine under faults, with a window of few bytes. */
class EmbeddedInvariantTest extends InvariantConformance {

    @Override
    protected Database open() {
        return FaultyDatabases.embedded(new SystemEnvironment(), FaultyDatabases.SMALL_WINDOW, 44);
    }
}
