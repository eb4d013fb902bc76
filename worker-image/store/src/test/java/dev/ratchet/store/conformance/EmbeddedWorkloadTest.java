/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.SystemEnvironment;

/** The embedded engine under faults. */
class EmbeddedWorkloadTest extends WorkloadConformance {

    @Override
    protected Database open() {
        return FaultyDatabases.embedded(new SystemEnvironment(), 42);
    }
}
