/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.SystemEnvironment;

/** The embedded engine answers as FoundationDB does. */
class EmbeddedTraceTest extends TraceConformance {

    @Override
    protected Database open() {
        return FaultyDatabases.none(new SystemEnvironment(), FaultyDatabases.PATIENT);
    }
}
