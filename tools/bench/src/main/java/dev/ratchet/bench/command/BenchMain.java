/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.command;

import dev.ratchet.bench.circuits.CircuitsBench;
import dev.ratchet.bench.circuits.NexmarkExport;
import dev.ratchet.bench.dataflow.CircuitClusterBench;
import dev.ratchet.bench.futures.FuturesBench;
import dev.ratchet.bench.load.CircuitLoadTest;
import dev.ratchet.bench.load.LoadTest;
import dev.ratchet.bench.start.StartBench;
import dev.ratchet.bench.store.StoreBench;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code run}: the root of the benchmarks' commands; each subject is one. */
@Command(
        name = "run",
        description = "Benchmarks of Ratchet.",
        mixinStandardHelpOptions = true,
        subcommands = {
            StoreBench.class,
            FuturesBench.class,
            LoadTest.class,
            CircuitLoadTest.class,
            CircuitsBench.class,
            CircuitClusterBench.class,
            NexmarkExport.class,
            StartBench.class
        })
public final class BenchMain implements Runnable {

    @Spec
    private CommandSpec spec;

    private BenchMain() {}

    /** Runs one subject and ends the process with its exit code. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("micro")) {
            // JMH has a command line of its own.
            org.openjdk.jmh.Main.main(java.util.Arrays.copyOfRange(arguments, 1, arguments.length));
            return;
        }
        System.exit(new CommandLine(new BenchMain())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments));
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(),
                "Say what to measure: store, futures, circuits, circuit-cluster, start, load, circuit-load or micro");
    }
}
