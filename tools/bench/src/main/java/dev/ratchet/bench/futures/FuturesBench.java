/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.bench.Report;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code run futures}: every row on clusters with and without fsync, many calls on more and fewer workers, and peers.
 */
@Command(
        name = "futures",
        description = "Futures: calls, chains, values, kills, on processes of their own; and what peers make of calls.",
        mixinStandardHelpOptions = true)
public final class FuturesBench implements Callable<Integer> {

    /** Whether a store syncs. */
    enum Durability {
        FSYNC,
        NO_FSYNC
    }

    @Option(names = "--quick", description = "1 s for each line, 100,000 calls together instead of a million")
    private boolean quick;

    @Option(names = "--millis", paramLabel = "N", description = "time of each line (default: 5000, quick 1000)")
    private @Nullable Long millis;

    @Option(
            names = "--together",
            paramLabel = "N",
            description = "calls that are made together (default: 1000000, quick 100000)")
    private @Nullable Integer together;

    @Option(
            names = "--dataset-megabytes",
            paramLabel = "N",
            description = "size of the dataset that REPARTITION divides anew (default: 1000, quick 160)")
    private @Nullable Integer datasetMegabytes;

    @Option(
            names = "--backlog",
            paramLabel = "N",
            description = "calls that wait behind others in BACKLOG (default: 10000000, quick 100000)")
    private @Nullable Integer backlog;

    @Option(names = "--on", split = ",", paramLabel = "KIND", description = "${COMPLETION-CANDIDATES} (default: both)")
    private Set<Durability> kinds = EnumSet.allOf(Durability.class);

    @Option(names = "--rows", split = ",", paramLabel = "ROW", description = "${COMPLETION-CANDIDATES} (default: all)")
    private Set<Row> rows = EnumSet.allOf(Row.class);

    @Option(
            names = "--workers",
            split = ",",
            paramLabel = "N",
            description =
                    "all rows are measured on the first, CALLS, CLAIMS and PAUSES on the others (default: 2,1,4,8);"
                            + " CRASH, LINEAGE, REPARTITION have workers of their own")
    private List<Integer> workers = List.of(2, 1, 4, 8);

    @Option(
            names = "--peers",
            split = ",",
            paramLabel = "PEER",
            description = "${COMPLETION-CANDIDATES} (default: all)")
    private Set<Peer> peers = EnumSet.allOf(Peer.class);

    @Option(names = "--no-peers", description = "Ratchet alone")
    private boolean alone;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "where to write the result (default: ${DEFAULT-VALUE})")
    private Path json = Path.of("futures.json");

    @Option(names = "--dir", paramLabel = "DIR", description = "where processes have their files")
    private Path parent = Path.of(System.getProperty("java.io.tmpdir"));

    @Override
    public Integer call() throws Exception {
        Report report = new Report(System.out);
        Extent extent = new Extent(
                quick,
                millis != null ? millis : quick ? 1_000 : 5_000,
                together != null ? together : quick ? 100_000 : 1_000_000,
                datasetMegabytes != null ? datasetMegabytes : quick ? 160 : 1_000,
                backlog != null ? backlog : quick ? 100_000 : 10_000_000);
        Set<Row> byWorkers = EnumSet.of(Row.CALLS, Row.CLAIMS, Row.PAUSES);
        byWorkers.retainAll(rows);
        for (int count : workers) {
            Set<Row> here = count == workers.getFirst() ? rows : byWorkers;
            for (Durability kind : count == workers.getFirst() ? kinds : EnumSet.of(Durability.FSYNC)) {
                measure(here, Shape.of(count), kind, extent, report);
            }
        }
        for (Peer peer : alone ? EnumSet.noneOf(Peer.class) : peers) {
            peer.measure(extent, report);
        }
        report.write(json);
        return 0;
    }

    /** Rows that share a cluster on that, then each of the others on its own. */
    private void measure(Set<Row> all, Shape shared, Durability kind, Extent extent, Report report) throws Exception {
        List<Row> sharing =
                all.stream().filter(row -> row.shape(extent) == null).toList();
        if (!sharing.isEmpty()) {
            try (Subject subject = new Subject(parent, shared, kind == Durability.FSYNC, extent, report)) {
                for (Row row : sharing) {
                    row.measure(subject);
                }
            }
        }
        for (Row row : all) {
            Shape own = row.shape(extent);
            if (own != null) {
                try (Subject subject = new Subject(parent, own, kind == Durability.FSYNC, extent, report)) {
                    row.measure(subject);
                }
            }
        }
    }
}
