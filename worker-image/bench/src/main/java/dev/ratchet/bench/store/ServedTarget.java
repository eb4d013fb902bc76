/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.store;

import com.apple.foundationdb.Database;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.protocol.security.TestAuthority;
import dev.ratchet.store.Access;
import dev.ratchet.store.DatabaseFactory;
import dev.ratchet.store.StoreConfiguration;
import dev.ratchet.store.environment.SystemEnvironment;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** A store in a process of its own, reached over loopback with mutual TLS by one client process, which is this one. */
final class ServedTarget implements Target {

    private static final Identity WORKER =
            new Identity(StoreProcess.NAMESPACE, StoreProcess.CLUSTER, Identity.Kind.WORKER, "bench-w-0");

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Process process;
    private final Database database;

    ServedTarget(Path directory, boolean syncs) throws IOException {
        TestAuthority authority = new TestAuthority("bench-ca");
        authority.issue(StoreProcess.SELF).writeTo(directory.resolve("store-tls"));
        authority.issue(WORKER).writeTo(directory.resolve("client-tls"));
        process = new ProcessBuilder(command(directory, syncs))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
        String line;
        do {
            line = said.readLine();
            if (line == null) {
                throw new IOException("The store's process ended before it served: see its messages above");
            }
        } while (!line.startsWith(StoreProcess.PORT));
        String port = line.substring(StoreProcess.PORT.length());
        database = DatabaseFactory.open(
                new StoreConfiguration.Embedded("127.0.0.1:" + port, StoreProcess.SELF.name(), "bench"),
                new Access(MutualTls.fromDirectory(directory.resolve("client-tls")), WORKER, "bench"),
                environment);
    }

    /** The same JVM with the same options as this one. */
    private static List<String> command(Path directory, boolean syncs) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(StoreProcess.class.getName());
        command.add(directory.toString());
        command.add(Boolean.toString(syncs));
        return command;
    }

    @Override
    public Database database() {
        return database;
    }

    @Override
    public Executor executor() {
        return environment.executor();
    }

    @Override
    public long cpuNanos() {
        Duration server = process.info().totalCpuDuration().orElse(Duration.ZERO);
        return Target.ownCpuNanos() + server.toNanos();
    }

    @Override
    public void close() {
        database.close();
        environment.close();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException gone) {
            process.destroyForcibly();
        } catch (InterruptedException stopped) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
