/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.cluster;

import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.store.EmbeddedOptions;
import dev.ratchet.store.EmbeddedStore;
import dev.ratchet.store.server.Served;
import dev.ratchet.store.server.StoreServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * The process of a served store, as {@code ratchet store serve} is, but for the choice not to sync and to lose the
 * outcomes of commits. Prints its ports and serves until its standard input ends, so that it never outlives the process
 * that started it.
 */
final class StoreProcess {

    /** Before the numbers, because the JVM may have things to say too. */
    static final String PORTS = "ports ";

    private StoreProcess() {}

    /**
     * Arguments: directory, whether to sync, of how many commits the outcome of one is lost (0: of none), and the seed
     * of which; the ports of sessions and of health, each 0: any.
     */
    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        EmbeddedOptions durable = EmbeddedOptions.in(directory.resolve("data"));
        EmbeddedOptions options =
                new EmbeddedOptions(durable.directory(), Boolean.parseBoolean(arguments[1]), durable.engine());
        SystemEnvironment environment = new SystemEnvironment();
        EmbeddedStore store = EmbeddedStore.open(options, environment);
        Served served = store.served();
        int oneLostIn = Integer.parseInt(arguments[2]);
        if (oneLostIn > 0) {
            LostOutcomes lost = new LostOutcomes(served.engine(), oneLostIn, Long.parseLong(arguments[3]));
            served = new Served(lost.connection(), served.generation(), served.backups());
        }
        StoreServer server = StoreServer.start(
                new StoreServer.Settings(
                        at(arguments[4]),
                        at(arguments[5]),
                        Identities.NAMESPACE,
                        Identities.CLUSTER,
                        Identities.RELEASE),
                served,
                MutualTls.fromDirectory(directory.resolve("store-tls")),
                environment);
        System.out.println(PORTS + server.sessionPort() + " " + server.healthPort());
        System.out.flush();
        while (System.in.read() >= 0) {
            // Whoever started this process says nothing; its end is the sign to end too.
        }
        server.close();
        store.close();
        environment.close();
    }

    private static InetSocketAddress at(String port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
    }
}
