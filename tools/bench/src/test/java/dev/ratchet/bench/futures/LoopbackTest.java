/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What values between workers are measured by. Says nothing of speed. */
class LoopbackTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void everyWayMovesAValueAsItIs(RawLoopback way) throws IOException {
        assertThat(way.perSecond(directory, 600_001, 1, 2)).isPositive();
    }
}
