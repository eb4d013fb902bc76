/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.submit;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.async.AsyncUtil;
import dev.ratchet.futures.code.Digests;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The functions of a request. Code is shared by all that have its digest, so nothing is stored under a digest that is
 * not its own: small code is compared where it comes in, and that of a large one has been compared by its upload.
 */
public final class SubmittedFunctions {

    private SubmittedFunctions() {}

    /**
     * Lets functions through that are what they are called.
     *
     * @throws IllegalArgumentException if the code of one has another digest than its own
     */
    public static void requireTrue(List<SubmittedFunction> functions) {
        functions.forEach(function -> Digests.requireTrue(function.getDigest(), function.getCode()));
    }

    /**
     * Those to write: a large one is recorded by its upload, and by a worker of an older release only when submitted.
     */
    static CompletableFuture<List<SubmittedFunction>> unstored(
            ReadTransaction transaction, FutureKeys keys, List<SubmittedFunction> functions) {
        Map<SubmittedFunction, CompletableFuture<byte[]>> large = new HashMap<>();
        functions.stream()
                .filter(function -> function.getCode().getChunks() > 0)
                .forEach(function -> large.put(function, transaction.get(keys.functions.key((Object)
                        function.getDigest().toByteArray()))));
        return AsyncUtil.whenAll(large.values()).thenApply(read -> functions.stream()
                .filter(function ->
                        !large.containsKey(function) || large.get(function).join() == null)
                .toList());
    }
}
