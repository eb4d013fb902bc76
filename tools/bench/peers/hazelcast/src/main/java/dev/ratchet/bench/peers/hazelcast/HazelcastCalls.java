/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.hazelcast;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import dev.ratchet.bench.calls.RemoteCalls;
import dev.ratchet.bench.cluster.JavaProcess;
import java.io.IOException;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** A client of two members, which it starts. */
abstract class HazelcastCalls implements RemoteCalls {

    /** Runs on a member. */
    record Same(int number) implements Callable<Integer>, Serializable {
        @Override
        public Integer call() {
            return number;
        }
    }

    private static final int MEMBERS = 2;
    static final String NAME = "calls";

    private final List<JavaProcess> members = new ArrayList<>();
    final HazelcastInstance client;

    HazelcastCalls() throws IOException, InterruptedException {
        for (int i = 0; i < MEMBERS; i++) {
            members.add(JavaProcess.leashed(
                    ManagementFactory.getRuntimeMXBean().getInputArguments(),
                    Map.of(),
                    Path.of("/dev/null"),
                    HazelcastMember.class.getName()));
        }
        ClientConfig config = new ClientConfig();
        config.setClusterName(HazelcastMember.CLUSTER);
        config.getNetworkConfig().addAddress("127.0.0.1:" + HazelcastMember.PORT);
        client = HazelcastClient.newHazelcastClient(config);
        while (client.getCluster().getMembers().size() < MEMBERS) {
            Thread.sleep(100);
        }
    }

    @Override
    public long otherCpuNanos() {
        return members.stream().mapToLong(member -> member.cpu().toNanos()).sum();
    }

    @Override
    public void close() {
        client.shutdown();
        members.forEach(JavaProcess::kill);
    }
}
