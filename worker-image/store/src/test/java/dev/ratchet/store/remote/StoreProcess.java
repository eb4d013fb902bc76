/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.remote;

import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.TokenSecurity;
import dev.ratchet.store.EmbeddedOptions;
import dev.ratchet.store.EmbeddedStore;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.server.StoreServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A store served by a process of its own, which can be killed. */
final class StoreProcess implements AutoCloseable {

    static final String NAMESPACE = "team-a";
    static final String CLUSTER = "orders";

    private final Process process;
    private final int port;

    private StoreProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts one and waits until it serves; {@code port} 0 takes a free one. */
    static StoreProcess start(Path directory, Path token, int port) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx192m",
                "-cp",
                System.getProperty("java.class.path"),
                StoreProcess.class.getName()));
        command.addAll(List.of(directory.toString(), token.toString(), Integer.toString(port)));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.PIPE)
                .start();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        StringBuilder said = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith("port ")) {
                return new StoreProcess(process, Integer.parseInt(line.substring("port ".length())));
            }
            said.append(line).append('\n');
        }
        throw new IllegalStateException("the store process ended: " + said);
    }

    int port() {
        return port;
    }

    /** As {@code kill -9}. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process: directory, token file and port are its arguments. Little memory makes for many checkpoints. */
    public static void main(String[] arguments) throws InterruptedException {
        SystemEnvironment environment = new SystemEnvironment();
        EngineSettings defaults = EngineSettings.DEFAULT;
        EngineSettings settings = new EngineSettings(
                defaults.windowVersions(), defaults.windowBytesMax(), defaults.pendingBytesMax(), 4 << 20);
        EmbeddedStore store =
                EmbeddedStore.open(new EmbeddedOptions(Path.of(arguments[0]), true, settings), environment);
        TokenSecurity security = TokenSecurity.fromFile(
                Path.of(arguments[1]), new Identity(NAMESPACE, CLUSTER, Kind.STORE, CLUSTER + "-store-0"));
        InetAddress loopback = InetAddress.getLoopbackAddress();
        StoreServer server = StoreServer.start(
                new StoreServer.Settings(
                        new InetSocketAddress(loopback, Integer.parseInt(arguments[2])),
                        new InetSocketAddress(loopback, 0),
                        NAMESPACE,
                        CLUSTER,
                        "0.1.0"),
                store.served(),
                security,
                environment);
        System.out.println("port " + server.sessionPort());
        Thread.currentThread().join();
    }
}
