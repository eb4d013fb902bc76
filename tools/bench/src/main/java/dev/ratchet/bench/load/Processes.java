/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import java.util.List;

/** How the JVMs of a load test are started: soon ready, and small enough that many fit. */
final class Processes {

    static final List<String> OPTIONS =
            List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError");

    private Processes() {}
}
