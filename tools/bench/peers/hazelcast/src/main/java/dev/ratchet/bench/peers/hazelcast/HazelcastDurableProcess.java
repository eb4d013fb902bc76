/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.hazelcast;

import com.hazelcast.durableexecutor.DurableExecutorService;
import com.hazelcast.durableexecutor.DurableExecutorServiceFuture;
import dev.ratchet.bench.calls.CallRuns;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * DurableExecutorService: tasks and results live in the memory of two members; both gone, they are. A call ends when
 * its result has been disposed of, because results stay until then and there is room for so many.
 */
final class HazelcastDurableProcess extends HazelcastCalls {

    private final DurableExecutorService executor = client.getDurableExecutorService(NAME);

    private HazelcastDurableProcess() throws IOException, InterruptedException {}

    public static void main(String[] arguments) throws Exception {
        CallRuns.main(new HazelcastDurableProcess(), arguments);
    }

    @Override
    public String title() {
        return "Hazelcast durable";
    }

    @Override
    public CompletableFuture<Integer> call(int number) {
        DurableExecutorServiceFuture<Integer> submitted = executor.submit(new Same(number));
        CompletableFuture<Integer> result = new CompletableFuture<>();
        submitted.whenComplete((value, failure) -> Thread.ofVirtual().start(() -> {
            if (failure == null) {
                executor.disposeResult(submitted.getTaskId());
                result.complete(value);
            } else {
                result.completeExceptionally(failure);
            }
        }));
        return result;
    }

    @Override
    public int underWayMax() {
        return 10_000;
    }
}
