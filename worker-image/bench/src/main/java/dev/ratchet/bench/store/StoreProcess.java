/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.store;

import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.store.EmbeddedOptions;
import dev.ratchet.store.EmbeddedStore;
import dev.ratchet.store.environment.SystemEnvironment;
import dev.ratchet.store.server.StoreServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * The process of a served store, as {@code ratchet store serve} is, but for the choice not to sync. Prints the port of
 * its sessions and serves until its standard input ends, so that it never outlives the process that measures it.
 */
final class StoreProcess {

    static final String NAMESPACE = "bench";
    static final String CLUSTER = "bench";
    static final Identity SELF = new Identity(NAMESPACE, CLUSTER, Identity.Kind.STORE, "bench-store-0");

    /** Before the number, because the JVM may have things to say too. */
    static final String PORT = "port ";

    private StoreProcess() {}

    /** Arguments: directory, whether to sync. */
    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        EmbeddedOptions durable = EmbeddedOptions.in(directory.resolve("data"));
        EmbeddedOptions options =
                new EmbeddedOptions(durable.directory(), Boolean.parseBoolean(arguments[1]), durable.engine());
        InetSocketAddress anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        SystemEnvironment environment = new SystemEnvironment();
        EmbeddedStore store = EmbeddedStore.open(options, environment);
        StoreServer server = StoreServer.start(
                new StoreServer.Settings(anywhere, anywhere, NAMESPACE, CLUSTER, "bench"),
                store.served(),
                MutualTls.fromDirectory(directory.resolve("store-tls")),
                environment);
        System.out.println(PORT + server.sessionPort());
        System.out.flush();
        while (System.in.read() >= 0) {
            // Whoever started this process says nothing; its end is the sign to end too.
        }
        server.close();
        store.close();
        environment.close();
    }
}
