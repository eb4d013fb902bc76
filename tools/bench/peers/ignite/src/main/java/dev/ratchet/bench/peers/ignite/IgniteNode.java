/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.ignite;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.ignite.Ignite;
import org.apache.ignite.Ignition;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder;
import org.apache.ignite.spi.failover.always.AlwaysFailoverSpi;

/** A node on loopback: two threads for tasks as a worker has slots. */
final class IgniteNode {

    private static final int PORT = 15_801;
    private static final int THREADS = 2;

    private IgniteNode() {}

    /** The process of a server. Arguments: its name. */
    public static void main(String[] arguments) throws InterruptedException {
        start(arguments[0], false);
        new CountDownLatch(1).await();
    }

    static Ignite start(String name, boolean client) {
        TcpDiscoveryVmIpFinder finder = new TcpDiscoveryVmIpFinder();
        finder.setAddresses(List.of("127.0.0.1:" + PORT + ".." + (PORT + 9)));
        return Ignition.start(new IgniteConfiguration()
                .setIgniteInstanceName(name)
                .setClientMode(client)
                .setLocalHost("127.0.0.1")
                .setPublicThreadPoolSize(THREADS)
                .setMetricsLogFrequency(0)
                .setFailoverSpi(new AlwaysFailoverSpi())
                .setWorkDirectory(System.getProperty("java.io.tmpdir") + "/ratchet-bench-ignite-" + name)
                .setCommunicationSpi(new TcpCommunicationSpi().setLocalPort(PORT + 100))
                .setDiscoverySpi(new TcpDiscoverySpi().setLocalPort(PORT).setIpFinder(finder)));
    }
}
