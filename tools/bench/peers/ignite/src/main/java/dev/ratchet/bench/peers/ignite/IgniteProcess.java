/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.ignite;

import dev.ratchet.bench.calls.CallRuns;
import dev.ratchet.bench.calls.RemoteCalls;
import dev.ratchet.bench.cluster.JavaProcess;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCompute;
import org.apache.ignite.lang.IgniteCallable;

/** Compute: tasks live in the memory of the client node that asks, and end with it. */
final class IgniteProcess implements RemoteCalls {

    /** Runs on a server. No record, because Ignite can not serialise those. */
    static final class Same implements IgniteCallable<Integer> {
        private static final long serialVersionUID = 1;
        private final int number;

        Same(int number) {
            this.number = number;
        }

        @Override
        public Integer call() {
            return number;
        }
    }

    private static final int SERVERS = 2;

    private final List<JavaProcess> servers = new ArrayList<>();
    private final Ignite client;
    private final IgniteCompute compute;

    private IgniteProcess() throws IOException, InterruptedException {
        for (int i = 0; i < SERVERS; i++) {
            servers.add(JavaProcess.leashed(
                    ManagementFactory.getRuntimeMXBean().getInputArguments(),
                    Map.of(),
                    Path.of("/dev/null"),
                    IgniteNode.class.getName(),
                    "server-" + i));
        }
        client = IgniteNode.start("client", true);
        while (client.cluster().forServers().nodes().size() < SERVERS) {
            Thread.sleep(100);
        }
        compute = client.compute(client.cluster().forServers());
    }

    public static void main(String[] arguments) throws Exception {
        CallRuns.main(new IgniteProcess(), arguments);
    }

    @Override
    public String title() {
        return "Ignite compute";
    }

    @Override
    public CompletableFuture<Integer> call(int number) {
        CompletableFuture<Integer> result = new CompletableFuture<>();
        compute.callAsync(new Same(number)).listen(done -> {
            try {
                result.complete(done.get());
            } catch (RuntimeException failed) {
                result.completeExceptionally(failed);
            }
        });
        return result;
    }

    @Override
    public int underWayMax() {
        return 10_000;
    }

    @Override
    public long otherCpuNanos() {
        return servers.stream().mapToLong(server -> server.cpu().toNanos()).sum();
    }

    @Override
    public void close() {
        client.close();
        servers.forEach(JavaProcess::kill);
    }
}
