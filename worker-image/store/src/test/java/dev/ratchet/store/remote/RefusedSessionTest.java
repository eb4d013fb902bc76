/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ratchet.protocol.security.LogLines;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.protocol.security.TestAuthority;
import dev.ratchet.protocol.security.TestAuthority.Issued;
import dev.ratchet.store.transaction.ReadVersionRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A certificate that the store does not take: some want to be told, others wait for a better one. */
@Timeout(60)
class RefusedSessionTest {

    private static final Duration LIMIT = Duration.ofSeconds(50);
    private static final String TRIES_AGAIN = "No connection to the store, trying again";

    @TempDir
    Path directory;

    private final ServedEngine store = new ServedEngine();
    private final LogLines clientLog = new LogLines("dev.ratchet.store.remote");
    private final LogLines serverLog = new LogLines("dev.ratchet.protocol.security");

    @AfterEach
    void stop() {
        clientLog.close();
        serverLog.close();
        store.close();
    }

    @Test
    void whoAsksIsToldOnceAndTheLogIsNot() {
        RemoteConnection client = store.connect(expired(), ServedEngine.WORKER);
        assertThatThrownBy(() -> client.opened().get(50, TimeUnit.SECONDS))
                .hasMessageContaining("No session with the store: 127.0.0.1:" + store.proxy.port()
                        + " refused the certificate of " + ServedEngine.WORKER.uri() + ": it expired on ");
        awaitRefusals(3);
        assertThat(clientLog.with(TRIES_AGAIN)).isEmpty();
    }

    @Test
    void whoDoesNotAskWaitsForAnotherCertificateAndTheLogHasEachReasonOnce() throws Exception {
        expired().writeTo(directory);
        RemoteConnection client = store.connect(MutualTls.fromDirectory(directory));
        CompletableFuture<Long> version = client.readVersion(ReadVersionRequest.DEFAULT);
        awaitRefusals(3);
        assertThat(clientLog.with(TRIES_AGAIN)).singleElement().asString().contains("it expired on ");

        Issued foreign = new TestAuthority("stranger-ca").issue(ServedEngine.WORKER);
        new Issued(foreign.certificate(), foreign.key(), store.authority.certificatePem()).writeTo(directory);
        await().atMost(LIMIT)
                .until(() -> !clientLog.with("it is signed by CN=stranger-ca").isEmpty());
        assertThat(version).isNotDone();

        store.authority.issue(ServedEngine.WORKER).writeTo(directory);
        assertThat(version.get(50, TimeUnit.SECONDS)).isNotNegative();
        assertThat(clientLog.with("it expired on ")).hasSize(1);
        assertThat(clientLog.with("it is signed by CN=stranger-ca")).hasSize(1);
    }

    private Issued expired() {
        return store.authority.issueUntil(ServedEngine.WORKER, Instant.now().minus(Duration.ofHours(1)));
    }

    private void awaitRefusals(int count) {
        await().atMost(LIMIT)
                .until(() -> serverLog.with("TLS handshake refused").size() >= count);
    }
}
