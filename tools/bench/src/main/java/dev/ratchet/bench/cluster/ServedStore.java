/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.cluster;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.Environment;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.store.Access;
import dev.ratchet.store.DatabaseFactory;
import dev.ratchet.store.StoreConfiguration;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A store in a process of its own, with mutual TLS on loopback. Killed and started again it serves the same data, at
 * other ports unless asked to.
 */
public final class ServedStore implements AutoCloseable {

    /**
     * How it serves.
     *
     * @param options of its JVM
     * @param syncs whether a commit is on the disk before it is acknowledged
     * @param oneLostIn of so many commits the outcome of one is lost; 0: of none
     * @param seed of which
     */
    public record Settings(List<String> options, boolean syncs, int oneLostIn, long seed) {}

    private static final String SUBSPACE = "bench";

    private final Path directory;
    private final Settings settings;
    private final Identities identities;
    private volatile JavaProcess process;
    private volatile int port;
    private volatile int healthPort;

    /** A store with its files in {@code directory}, serving. */
    public ServedStore(Path directory, Settings settings) throws IOException {
        this(directory, settings, new Identities());
    }

    ServedStore(Path directory, Settings settings, Identities identities) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.settings = settings;
        this.identities = identities;
        identities.write(Identities.STORE, directory.resolve("store-tls"));
        process = launch(0, 0);
    }

    private JavaProcess launch(int sessionPort, int otherPort) throws IOException {
        JavaProcess started = JavaProcess.talking(
                settings.options(),
                directory.resolve("store.log"),
                StoreProcess.class,
                directory.toString(),
                Boolean.toString(settings.syncs()),
                Integer.toString(settings.oneLostIn()),
                Long.toString(settings.seed()),
                Integer.toString(sessionPort),
                Integer.toString(otherPort));
        BufferedReader said = started.output();
        String line;
        do {
            line = said.readLine();
            if (line == null) {
                throw new IOException("The store ended before it served: see " + directory.resolve("store.log"));
            }
        } while (!line.startsWith(StoreProcess.PORTS));
        String[] ports = line.substring(StoreProcess.PORTS.length()).split(" ", 2);
        port = Integer.parseInt(ports[0]);
        healthPort = Integer.parseInt(ports[1]);
        return started;
    }

    /** Starts the process again after its end, with the same data. */
    public void restart() throws IOException {
        process = launch(0, 0);
    }

    /** As {@link #restart}, at the same ports. */
    public void restartInPlace() throws IOException {
        process = launch(port, healthPort);
    }

    public JavaProcess process() {
        return process;
    }

    /** Where it listens now, on 127.0.0.1. */
    public int port() {
        return port;
    }

    /** Where its metrics are now, on 127.0.0.1. */
    public int healthPort() {
        return healthPort;
    }

    static StoreConfiguration.Embedded at(String address) {
        return new StoreConfiguration.Embedded(address, Identities.STORE.name(), SUBSPACE);
    }

    /** What this process reads and writes it through; the caller closes it. */
    public Database open(Environment environment) throws IOException {
        return open("127.0.0.1:" + port, environment);
    }

    Database open(String address, Environment environment) throws IOException {
        Path credential = identities.write(Identities.OBSERVER, directory.resolve("observer-tls"));
        return DatabaseFactory.open(
                at(address),
                new Access(MutualTls.fromDirectory(credential), Identities.OBSERVER, Identities.RELEASE),
                environment);
    }

    @Override
    public void close() {
        process.end();
    }
}
