/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.membership.observe.Prober.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class TcpProberTest {

    @Test
    void aListenerAnswersAndAFormerOneRefuses() throws IOException {
        try (SystemEnvironment environment = new SystemEnvironment()) {
            TcpProber prober = new TcpProber(environment);
            String address;
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                address = "127.0.0.1:" + socket.getLocalPort();
                assertThat(prober.probe(address).join()).isEqualTo(Result.ANSWERED);
            }
            assertThat(prober.probe(address).join()).isEqualTo(Result.REFUSED);
        }
    }

    @Test
    void anAddressThatMakesNoSenseProvesNothing() {
        try (SystemEnvironment environment = new SystemEnvironment()) {
            assertThat(new TcpProber(environment).probe("not an address:1").join())
                    .isEqualTo(Result.UNKNOWN);
        }
    }
}
