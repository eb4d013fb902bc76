/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.SerializableCallable;
import dev.ratchet.protocol.futures.v1.LambdaCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Lambdas are made while other threads initialize classes of the same program. */
class LambdasAtOnceTest {

    private static final CountDownLatch BEGUN = new CountDownLatch(1);

    /** As an enumeration whose constants have code of their own. */
    private static class Above {
        static final Above CONSTANT = slowly();

        private static Above slowly() {
            BEGUN.countDown();
            try {
                Thread.sleep(300);
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
            return new Below();
        }
    }

    private static final class Below extends Above {
        static SerializableCallable<Integer> lambda() {
            return () -> 1;
        }
    }

    @Test
    void aLambdaOfAConstantIsMadeWhileItsEnumerationIsInitialized() throws Exception {
        CompletableFuture<Object> enumeration = new CompletableFuture<>();
        CompletableFuture<Object> lambdas = new CompletableFuture<>();
        LambdaCode place = LambdaCode.newBuilder()
                .setCapturingClass(LambdasAtOnceTest.class.getName().replace('.', '/') + "$Below")
                .build();
        Thread.ofPlatform().daemon().start(() -> enumeration.complete(Above.CONSTANT));
        BEGUN.await();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                lambdas.complete(new Lambdas.Maker(place, LambdasAtOnceTest.class.getClassLoader()));
            } catch (ReflectiveOperationException unknown) {
                lambdas.completeExceptionally(unknown);
            }
        });

        lambdas.get(60, TimeUnit.SECONDS);
        enumeration.get(60, TimeUnit.SECONDS);
        assertThat(Below.lambda()).isNotNull();
    }
}
