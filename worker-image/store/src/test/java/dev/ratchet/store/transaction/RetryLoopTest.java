/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.store.EmbeddedDatabaseSupplier;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RetryLoopTest {

    @Test
    void anErrorOnALaterTryEndsTheTransactionLikeOneOnTheFirst() {
        try (SystemEnvironment environment = new SystemEnvironment();
                Database database = new EmbeddedDatabaseSupplier(environment).get()) {
            AtomicInteger tries = new AtomicInteger();
            CompletableFuture<Object> result = database.runAsync(transaction -> {
                if (tries.incrementAndGet() == 1) {
                    return CompletableFuture.failedFuture(new EmbeddedFDBException(ErrorCode.NOT_COMMITTED));
                }
                throw new NoClassDefFoundError("planted");
            });
            assertThatThrownBy(() -> result.get(1, TimeUnit.MINUTES))
                    .hasRootCauseInstanceOf(NoClassDefFoundError.class);
        }
    }
}
