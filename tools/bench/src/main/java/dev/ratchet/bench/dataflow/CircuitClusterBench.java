/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import dev.ratchet.bench.Report;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code run circuit-cluster}: a circuit on several processes, beside what carries bytes and commits without it. */
@Command(
        name = "circuit-cluster",
        description = "Exchange, steps, input, output and recovery of a circuit on several processes.",
        mixinStandardHelpOptions = true)
public final class CircuitClusterBench implements Callable<Integer> {

    @Option(names = "--quick", description = "everything within a quarter of an hour")
    private boolean quick;

    @Option(names = "--rows", split = ",", paramLabel = "ROW", description = "${COMPLETION-CANDIDATES} (default: all)")
    private Set<CircuitRow> rows = EnumSet.allOf(CircuitRow.class);

    @Option(names = "--no-peers", description = "Ratchet alone")
    private boolean alone;

    @Option(names = "--dir", paramLabel = "DIR", description = "where processes have their files")
    private Path parent = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "where to write the result (default: ${DEFAULT-VALUE})")
    private Path json = Path.of("circuit-cluster.json");

    @Override
    public Integer call() throws Exception {
        Report report = new Report(System.out);
        for (CircuitRow row : rows) {
            row.measure(parent, quick, report);
            if (!alone) {
                row.measurePeer(parent, quick, report);
            }
        }
        report.write(json);
        return 0;
    }
}
