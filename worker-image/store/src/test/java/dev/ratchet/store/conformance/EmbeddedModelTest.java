/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.SystemEnvironment;

/** The embedded engine beside the naive model. */
class EmbeddedModelTest extends ModelConformance {

    @Override
    protected Database open() {
        return FaultyDatabases.none(new SystemEnvironment(), FaultyDatabases.PATIENT);
    }
}
