/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerChannelsTest {

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final int LIMIT_MILLIS = 30_000;

    private static final int FAILED_ATTEMPTS = 4;

    /** What a channel waits before its fifth attempt is 4.1 s, a fifth more or less. */
    private static final int AT_ONCE_MILLIS = 3_000;

    private static final int POLL_MILLIS = 50;

    @Test
    void aSeatThatListensAgainIsConnectedToAtOnce(@TempDir Path directory) throws Exception {
        try (ServerSocket seat = new ServerSocket(0, 1, LOOPBACK);
                PeerChannels peers = new PeerChannels(new TestCertificates().of(directory, "orders-w-0"), "team-a")) {
            String address = LOOPBACK.getHostAddress() + ":" + seat.getLocalPort();
            peers.channel("orders-w-1", address).getState(true);
            seat.setSoTimeout(LIMIT_MILLIS);
            for (int attempt = 0; attempt < FAILED_ATTEMPTS; attempt++) {
                seat.accept().close();
            }

            seat.setSoTimeout(POLL_MILLIS);
            long end = System.nanoTime() + AT_ONCE_MILLIS * 1_000_000L;
            boolean isConnected = false;
            while (!isConnected && System.nanoTime() < end) {
                // Not before the channel has seen that the last connection was closed.
                peers.listening("orders-w-1", address);
                isConnected = connects(seat);
            }
            assertThat(isConnected)
                    .as("a connection within %d ms", AT_ONCE_MILLIS)
                    .isTrue();
        }
    }

    private static boolean connects(ServerSocket seat) throws Exception {
        try {
            seat.accept().close();
            return true;
        } catch (SocketTimeoutException nobody) {
            return false;
        }
    }
}
