/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.store;

import com.apple.foundationdb.async.AsyncUtil;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.release.Release;
import dev.ratchet.protocol.release.ReleaseFormats;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.TransportSecurity;
import dev.ratchet.store.EmbeddedOptions;
import dev.ratchet.store.EmbeddedStore;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import dev.ratchet.store.server.StoreServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code ratchet store serve}: the process of the store's pod. Serves one data directory to the workers of one cluster
 * until it is told to end, then writes out what is left and exits with 0. One directory has one such process: a second
 * one is refused.
 */
@Command(
        name = "serve",
        description = "Serves a data directory as the store of one cluster.",
        mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {

    private static final String EVERYWHERE = "0.0.0.0";
    private static final String LOOPBACK = "127.0.0.1";
    private static final int HEALTH_PORT = 7402;

    @Spec
    private CommandSpec spec;

    @Mixin
    private DataDirectory data;

    @Option(names = "--namespace", paramLabel = "NAME", description = "default $RATCHET_NAMESPACE")
    private @Nullable String namespace;

    @Option(names = "--cluster", paramLabel = "NAME", description = "default $RATCHET_CLUSTER")
    private @Nullable String cluster;

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            description = "address to listen on; default $RATCHET_POD_IP, then all, with a token loopback")
    private @Nullable String address;

    @Option(names = "--port", paramLabel = "PORT", description = "port of sessions (default: ${DEFAULT-VALUE})")
    private int port = ClusterOptions.SESSIONS_PORT;

    @Option(
            names = "--health-port",
            paramLabel = "PORT",
            description = "port of health and metrics (default: ${DEFAULT-VALUE})")
    private int healthPort = HEALTH_PORT;

    @Mixin
    private Credentials credentials;

    @Option(
            names = "--memory-bytes",
            paramLabel = "BYTES",
            description = "memory for data, what does not fit is on the disk alone; default half of the heap")
    private @Nullable Long memoryBytes;

    @Override
    public Integer call() throws IOException, InterruptedException {
        String inNamespace = Variables.required(namespace, "--namespace", "RATCHET_NAMESPACE");
        String ofCluster = Variables.required(cluster, "--cluster", "RATCHET_CLUSTER");
        TransportSecurity security = credentials
                .access(new Identity(inNamespace, ofCluster, Kind.STORE, ofCluster + "-store-0"))
                .security();
        String host = Variables.text(address, "RATCHET_POD_IP");
        if (host == null) {
            host = credentials.areCertificates() ? EVERYWHERE : LOOPBACK;
        }
        StoreServer.Settings settings = new StoreServer.Settings(
                new InetSocketAddress(host, port),
                new InetSocketAddress(host, healthPort),
                inNamespace,
                ofCluster,
                Release.VERSION);
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(end, ended), "ratchet-end"));
        try (SystemEnvironment environment = new SystemEnvironment();
                EmbeddedStore store = EmbeddedStore.open(options(), environment);
                StoreServer server = start(settings, store, security, environment)) {
            spec.commandLine()
                    .getOut()
                    .println("Store of cluster " + inNamespace + "/" + ofCluster + " on " + host + ":"
                            + server.sessionPort() + ", health on port " + server.healthPort());
            spec.commandLine().getOut().flush();
            end.await();
        } finally {
            ended.countDown();
        }
        return 0;
    }

    private EmbeddedOptions options() {
        EmbeddedOptions options = EmbeddedOptions.in(data.path());
        return memoryBytes == null ? options : options.withDataBytesMax(memoryBytes);
    }

    /**
     * Fences, after a restore, whoever worked with the store before it, and then serves. Refuses what is recorded in
     * formats that this release does not read: its files may be, too, and workers that could read them would be served.
     */
    private static StoreServer start(
            StoreServer.Settings settings, EmbeddedStore store, TransportSecurity security, Environment environment) {
        store.database()
                .runAsync(transaction -> Keyspace.all(transaction)
                        .thenCompose(keyspaces -> AsyncUtil.whenAll(keyspaces.stream()
                                .map(each -> StoreRecord.requireFormats(transaction, each, ReleaseFormats.OWN)
                                        .thenCompose(readable ->
                                                StoreRecord.raiseGeneration(transaction, each, store.generation())))
                                .toList())))
                .join();
        return StoreServer.start(settings, store.served(), security, environment);
    }

    /** Runs when the process is told to end: lets {@link #call} close everything, then exits as after success. */
    private static void end(CountDownLatch end, CountDownLatch ended) {
        if (ended.getCount() == 0) {
            return;
        }
        end.countDown();
        try {
            ended.await();
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(0);
    }
}
