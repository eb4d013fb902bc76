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

    /** After each further attempt, which fails as well, it waits longer by more than half. */
    private static final int ROUNDS = 4;

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

            boolean isAtOnce = false;
            for (int round = 0; !isAtOnce && round < ROUNDS; round++) {
                long limitMillis = AT_ONCE_MILLIS + (long) AT_ONCE_MILLIS * round / 2;
                long begun = System.nanoTime();
                seat.setSoTimeout(POLL_MILLIS);
                boolean isConnected = false;
                while (!isConnected && System.nanoTime() - begun < LIMIT_MILLIS * 1_000_000L) {
                    // Not before the channel has seen that the last connection was closed.
                    peers.listening("orders-w-1", address);
                    isConnected = connects(seat);
                }
                isAtOnce = isConnected && System.nanoTime() - begun < limitMillis * 1_000_000L;
            }
            assertThat(isAtOnce)
                    .as("a connection sooner than the channel would have made it by itself")
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
