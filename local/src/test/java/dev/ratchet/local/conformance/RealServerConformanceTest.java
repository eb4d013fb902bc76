/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A real server answers as the suite says, so that the stand-in is held to the truth. */
@EnabledIfSystemProperty(
        named = "ratchet.conformance.kubeconfig",
        matches = ".+",
        disabledReason =
                "give -Dratchet.conformance.kubeconfig=FILE to run the same requests against a real API server")
class RealServerConformanceTest extends ConformanceSuite {

    @Override
    protected Path kubeconfig() {
        return Path.of(System.getProperty("ratchet.conformance.kubeconfig"));
    }
}
