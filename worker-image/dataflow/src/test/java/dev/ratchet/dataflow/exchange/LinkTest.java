/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ratchet.environment.SystemEnvironment;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LinkTest {

    private static final int LIMIT_SECONDS = 20;

    /** Breaks for whoever writes; who reads learns of it later. */
    private record HalfBroken(InputStream in) implements ByteStream {

        @Override
        public OutputStream out() throws IOException {
            OutputStream closed = OutputStream.nullOutputStream();
            closed.close();
            return closed;
        }

        @Override
        public void silentAfter(int millis) {
            // The other side may be silent for ever.
        }

        @Override
        public void cut() {
            // Whoever reads has not noticed yet.
        }
    }

    @Test
    void aConnectionThatCanNotBeWrittenToIsBrokenBeforeItsReaderHasNoticed() throws Exception {
        List<ExchangePeer> peers = List.of(new ExchangePeer("w-0", 1, "a:1"), new ExchangePeer("w-1", 1, "b:1"));
        try (SystemEnvironment environment = new SystemEnvironment();
                PipedOutputStream otherSide = new PipedOutputStream()) {
            ByteStream stream = new HalfBroken(new PipedInputStream(otherSide));
            LinkSession session =
                    new LinkSession(1, 0, peers, TcpProcesses.PATIENT, new ExchangeCounters(), () -> 1, environment);
            Link link = session.link(new Hello(1, 1, 1, 0, 1, true, 0));
            CompletableFuture<Void> served =
                    CompletableFuture.runAsync(() -> serve(link, stream), environment.blockingExecutor());
            await("the connection").atMost(Duration.ofSeconds(LIMIT_SECONDS)).until(() -> link.connections() > 0);
            link.send(ByteBuffer.allocate(10));
            CompletableFuture<Boolean> broken =
                    CompletableFuture.supplyAsync(() -> awaitBroken(link), environment.blockingExecutor());
            assertThat(broken.get(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as("it is broken")
                    .isTrue();
            assertThat(served).as("who reads").isNotDone();
        }
    }

    private static void serve(Link link, ByteStream stream) {
        try {
            link.serve(new Connection(stream), 0);
        } catch (IOException noticed) {
            // As it should be at the end.
        }
    }

    private static boolean awaitBroken(Link link) {
        try {
            return link.awaitBroken(0);
        } catch (InterruptedException stopped) {
            return false;
        }
    }
}
