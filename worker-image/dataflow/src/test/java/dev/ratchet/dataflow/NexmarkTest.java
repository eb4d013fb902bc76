/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.circuit.OnError;
import dev.ratchet.circuits.nexmark.NexmarkEvent;
import dev.ratchet.circuits.nexmark.NexmarkGenerator;
import dev.ratchet.circuits.nexmark.NexmarkTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NexmarkTest {

    private static final String PROGRAM = """
            CREATE TABLE bid (auction BIGINT NOT NULL, bidder BIGINT NOT NULL, price BIGINT NOT NULL,
              channel VARCHAR NOT NULL, url VARCHAR NOT NULL, date_time TIMESTAMP NOT NULL, extra VARCHAR NOT NULL)
              WITH ('strict' = 'true');
            CREATE TABLE auction (id BIGINT NOT NULL, seller BIGINT NOT NULL);
            CREATE VIEW prices AS SELECT auction, COUNT(*) AS n, MAX(price) AS most, MAX(date_time) AS newest,
              SUM(CHAR_LENGTH(extra)) AS extras FROM bid GROUP BY auction;
            CREATE VIEW sold AS SELECT seller, COUNT(*) AS n FROM auction GROUP BY seller;
            """;
    private static final int EVENTS = 3_000;
    private static final long SEED = 7;

    @TempDir
    Path directory;

    private static DataflowSettings settings(InputSource input) {
        ProgramSource program = new ProgramSource.Sql(PROGRAM);
        return new DataflowSettings(
                "c", program, false, 1, 50, 2, OnError.COLLECT, Map.of(), "", List.of(input), List.of());
    }

    private static void await(DataflowCluster cluster, long events) {
        cluster.await(events + " events", () -> {
            cluster.retryWhereKillsAreTakenForTheStep();
            return received(cluster) >= events;
        });
    }

    @Test
    void viewsAreThoseOfTheEventsWhoeverIsKilledMeanwhile() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 2)) {
            Random random = cluster.random();
            cluster.configure(settings(new InputSource.Nexmark("events", 3_000, SEED, EVENTS)));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("prices", "sold", "errors");
            for (int kills = 1; kills <= 3; kills++) {
                int sofar = 800 * kills;
                await(cluster, sofar);
                cluster.restart(random.nextInt(2));
                cluster.elect(random.nextInt(2));
            }
            await(cluster, EVENTS - 1);
            String end = DataflowCluster.get(cluster.worker(0).inputs().received("input:events"))
                    .position();
            cluster.awaitOutputOf(end, "prices");
            cluster.awaitOutputOf(end, "sold");
            assertThat(rows(cluster, "prices")).as(cluster.seed()).isEqualTo(prices());
            assertThat(rows(cluster, "sold")).as(cluster.seed()).isEqualTo(sold());
            assertThat(cluster.changes("errors")).isEmpty();
        }
    }

    private static long received(DataflowCluster cluster) {
        return DataflowCluster.get(cluster.worker(0).inputs().received("input:events"))
                .sequence();
    }

    /** The rows of a view as all changes together make them. */
    private static Map<String, Long> rows(DataflowCluster cluster, String view) {
        Map<String, Long> weights = new TreeMap<>();
        cluster.changes(view)
                .values()
                .forEach(rows -> rows.forEach(row -> {
                    int weight = row.lastIndexOf(" x");
                    weights.merge(row.substring(0, weight), Long.valueOf(row.substring(weight + 2)), Long::sum);
                }));
        weights.values().removeIf(weight -> weight == 0);
        return weights;
    }

    private static List<NexmarkEvent> events(NexmarkTable table) {
        NexmarkGenerator generator = new NexmarkGenerator(SEED);
        return LongStream.range(0, EVENTS)
                .mapToObj(generator::event)
                .filter(event -> event.table() == table)
                .toList();
    }

    private static Map<String, Long> prices() {
        Map<Long, long[]> groups = new TreeMap<>();
        for (NexmarkEvent bid : events(NexmarkTable.BID)) {
            long[] group = groups.computeIfAbsent((Long) bid.values().get(0), auction -> new long[4]);
            group[0]++;
            group[1] = Math.max(group[1], (Long) bid.values().get(2));
            group[2] = Math.max(group[2], (Long) bid.values().get(5));
            group[3] += ((String) bid.values().get(6)).length();
        }
        Map<String, Long> rows = new TreeMap<>();
        groups.forEach((auction, group) ->
                rows.put(auction + " " + group[0] + " " + group[1] + " " + group[2] * 1_000 + " " + group[3], 1L));
        return rows;
    }

    private static Map<String, Long> sold() {
        Map<Long, Long> counts = new TreeMap<>();
        events(NexmarkTable.AUCTION)
                .forEach(auction -> counts.merge((Long) auction.values().get(7), 1L, Long::sum));
        Map<String, Long> rows = new TreeMap<>();
        counts.forEach((seller, count) -> rows.put(seller + " " + count, 1L));
        return rows;
    }
}
