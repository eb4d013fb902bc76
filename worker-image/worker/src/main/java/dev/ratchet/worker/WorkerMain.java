/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import ch.qos.logback.classic.ClassicConstants;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.log.LogRing;
import dev.ratchet.futures.log.TaskOutput;
import java.io.IOException;
import java.io.PrintStream;

/**
 * The main class of a worker. Told to end (TERM) it drains and exits with 0; what it can not be started with is one
 * line per mistake and exit code 2; see {@link ExitCode} for the others.
 */
public final class WorkerMain {

    private static final long LOG_RING_BYTES = 32L << 20;

    /** Threads of the system that virtual ones run on, which are not for tasks. */
    private static final int SPARE_CARRIERS_MIN = 2;

    private WorkerMain() {}

    /**
     * A task that computes keeps its carrier for as long as it does, and there are as many of those as slots. What else
     * runs on virtual threads, probes and files among it, has others.
     */
    private static int carriers(int slots) {
        return slots + Math.max(SPARE_CARRIERS_MIN, Runtime.getRuntime().availableProcessors());
    }

    /** Runs until the process is told to end or has to. Takes no arguments; see {@link WorkerSettings}. */
    public static void main(String[] arguments) {
        Ending ending = Ending.inForce();
        PrintStream errors = System.err;
        LastWords lastWords = LastWords.from(System.getenv());
        try {
            WorkerSettings settings = WorkerSettings.from(System.getenv());
            System.setProperty(ClassicConstants.CONFIG_FILE_PROPERTY, "ratchet-worker-logback.xml");
            System.setProperty(
                    "jdk.virtualThreadScheduler.parallelism", Integer.toString(carriers(settings.threads())));
            SystemEnvironment environment = new SystemEnvironment();
            // Before anything there is touched: another process may be at work in the directory.
            BootCounter boot = BootCounter.next(settings.dataDirectory());
            LogRing ring = new LogRing(settings.dataDirectory().resolve("log"), LOG_RING_BYTES, environment);
            TaskOutput.install(ring);
            WorkerProcess process = new WorkerProcess(settings, boot, ring, lastWords, environment);
            ending.begins(process);
            System.exit(process.run().number());
        } catch (ConfigurationException unusable) {
            unusable.mistakes().forEach(mistake -> errors.println("ratchet worker: " + mistake));
            lastWords.say(String.join("; ", unusable.mistakes()));
            ending.exit(ExitCode.MISCONFIGURED);
        } catch (IOException unusable) {
            errors.println("ratchet worker: the data directory can not be used: " + unusable);
            lastWords.say("The data directory can not be used: " + unusable);
            ending.exit(ExitCode.MISCONFIGURED);
        } catch (RuntimeException | Error unexpected) {
            unexpected.printStackTrace(errors);
            ending.exit(ExitCode.BROKEN);
        }
    }
}
