/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import java.util.concurrent.CountDownLatch;

/** The process of a member: loopback alone, two threads for tasks as a worker has slots, one backup in memory. */
final class HazelcastMember {

    static final String CLUSTER = "bench";
    static final int PORT = 15_701;
    private static final int THREADS = 2;

    private HazelcastMember() {}

    public static void main(String[] arguments) throws InterruptedException {
        Config config = new Config();
        config.setClusterName(CLUSTER);
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.getExecutorConfig(HazelcastCalls.NAME).setPoolSize(THREADS);
        config.getDurableExecutorConfig(HazelcastCalls.NAME)
                .setPoolSize(THREADS)
                .setDurability(1)
                .setCapacity(1_000);
        config.getNetworkConfig().setPort(PORT).setPublicAddress("127.0.0.1");
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true).addMember("127.0.0.1:" + PORT).addMember("127.0.0.1:" + (PORT + 1));
        Hazelcast.newHazelcastInstance(config);
        new CountDownLatch(1).await();
    }
}
