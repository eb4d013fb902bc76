/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.hazelcast;

import com.hazelcast.core.ExecutionCallback;
import com.hazelcast.core.IExecutorService;
import dev.ratchet.bench.calls.CallRuns;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** IExecutorService: tasks live in the memory of one member, and are lost with it. */
final class HazelcastProcess extends HazelcastCalls {

    private final IExecutorService executor = client.getExecutorService(NAME);

    private HazelcastProcess() throws IOException, InterruptedException {}

    public static void main(String[] arguments) throws Exception {
        CallRuns.main(new HazelcastProcess(), arguments);
    }

    @Override
    public String title() {
        return "Hazelcast executor";
    }

    @Override
    public CompletableFuture<Integer> call(int number) {
        CompletableFuture<Integer> result = new CompletableFuture<>();
        executor.submit(new Same(number), new ExecutionCallback<Integer>() {
            @Override
            public void onResponse(Integer response) {
                result.complete(response);
            }

            @Override
            public void onFailure(Throwable failure) {
                result.completeExceptionally(failure);
            }
        });
        return result;
    }

    @Override
    public int underWayMax() {
        return 100_000;
    }
}
