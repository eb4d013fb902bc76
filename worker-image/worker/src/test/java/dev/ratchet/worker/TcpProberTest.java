/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.membership.observe.Prober.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class TcpProberTest {

    @Test
    void aPortOnWhichSomebodyListensAnswersAndAnotherRefuses() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (SystemEnvironment environment = new SystemEnvironment();
                ServerSocket listens = new ServerSocket(0, 1, loopback);
                Socket taken = new Socket()) {
            taken.bind(new InetSocketAddress(loopback, 0));
            TcpProber prober = new TcpProber(environment);
            assertThat(prober.probe("127.0.0.1:" + listens.getLocalPort()).join())
                    .isEqualTo(Result.ANSWERED);
            assertThat(prober.probe("127.0.0.1:" + taken.getLocalPort()).join()).isEqualTo(Result.REFUSED);
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
