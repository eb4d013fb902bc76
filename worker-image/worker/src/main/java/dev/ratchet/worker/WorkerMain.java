/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import ch.qos.logback.classic.ClassicConstants;
import dev.ratchet.futures.log.LogRing;
import dev.ratchet.futures.log.TaskOutput;
import dev.ratchet.store.environment.SystemEnvironment;
import java.io.IOException;
import java.io.PrintStream;

/**
 * The main class of a worker. Told to end (TERM) it drains and exits with 0; what it can not be started with is one
 * line per mistake and exit code 2; see {@link ExitCode} for the others.
 */
public final class WorkerMain {

    private static final long LOG_RING_BYTES = 32L << 20;

    private WorkerMain() {}

    /** Runs until the process is told to end or has to. Takes no arguments; see {@link WorkerSettings}. */
    public static void main(String[] arguments) {
        PrintStream errors = System.err;
        try {
            WorkerSettings settings = WorkerSettings.from(System.getenv());
            System.setProperty(ClassicConstants.CONFIG_FILE_PROPERTY, "ratchet-worker-logback.xml");
            System.setProperty("jdk.virtualThreadScheduler.parallelism", Integer.toString(settings.threads()));
            SystemEnvironment environment = new SystemEnvironment();
            LogRing ring = new LogRing(settings.dataDirectory().resolve("log"), LOG_RING_BYTES, environment);
            TaskOutput.install(ring);
            WorkerProcess process = new WorkerProcess(settings, ring, environment);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process), "ratchet-shutdown"));
            System.exit(process.run().number());
        } catch (ConfigurationException unusable) {
            unusable.mistakes().forEach(mistake -> errors.println("ratchet worker: " + mistake));
            System.exit(ExitCode.MISCONFIGURED.number());
        } catch (IOException unusable) {
            errors.println("ratchet worker: the data directory can not be used: " + unusable);
            System.exit(ExitCode.MISCONFIGURED.number());
        }
    }

    /** Runs in every exit of the JVM: gives a signal the exit code of what came of it instead of the signal's. */
    private static void end(WorkerProcess process) {
        ExitCode code = process.terminate();
        Runtime.getRuntime().halt(code.number());
    }
}
