/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import dev.ratchet.dataflow.InputFullException;
import dev.ratchet.dataflow.query.RefusedException;
import dev.ratchet.environment.GuardedCallbacks;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Waits for what the circuit is to say, on the thread of the request. */
final class HttpWaits {

    private static final long MILLIS_PER_SECOND = 1_000;

    private HttpWaits() {}

    /**
     * The result. A store that is closed may fail at once instead of later, which is the same to the caller.
     *
     * @param remedy what to do where it does not come
     * @throws HttpFailure with 400, 429 or 503 where there is none
     * @throws RefusedException where the circuit refuses the request
     */
    static <T> T await(Supplier<CompletableFuture<T>> begin, long millis, String remedy) throws InterruptedException {
        try {
            return GuardedCallbacks.begin(begin).get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new HttpFailure(503, "The store has not answered within " + millis + " ms", remedy)
                    .header("Retry-After", "1");
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            throw failure(cause == null ? failed : cause, remedy);
        }
    }

    private static HttpFailure failure(Throwable cause, String remedy) {
        if (cause instanceof InputFullException full) {
            long seconds = Math.max(1, (full.retryMillis() + MILLIS_PER_SECOND - 1) / MILLIS_PER_SECOND);
            return new HttpFailure(429, String.valueOf(full.getMessage()), "Send it again in " + seconds + " s")
                    .header("Retry-After", Long.toString(seconds));
        }
        if (cause instanceof RefusedException refused) {
            throw refused;
        }
        if (cause instanceof IllegalArgumentException refused) {
            return new HttpFailure(400, String.valueOf(refused.getMessage()), "Change the request");
        }
        return new HttpFailure(503, "The store can not be used now: " + cause, remedy).header("Retry-After", "1");
    }
}
