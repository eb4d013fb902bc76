/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.feeds.FedFutures;
import dev.ratchet.feeds.Feeds;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.client.v1.FeedDescription;
import dev.ratchet.protocol.client.v1.PutFeedRequest;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.simulation.cluster.DataflowWork;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A feed of one view, from the first step on, whose futures nobody runs: each change must be one of them. */
final class CircuitFeed {

    private static final String NAME = "fed";
    private static final long ANSWER_MILLIS = 3_000;
    private static final long RETRY_MILLIS = 100;

    private final CircuitCluster circuit;
    private final PutFeedRequest request;
    private boolean begun;

    CircuitFeed(CircuitCluster circuit, String view) {
        this.circuit = circuit;
        this.request = FedFutures.request(NAME, view, 1_000_000).setAfterStep(0).build();
    }

    /** Asks one worker after the other for the feed until there is one. */
    void begin() {
        if (begun) {
            return;
        }
        SimulatedWorker worker =
                circuit.workers.get(circuit.cluster.world.random().nextInt(circuit.workers.size()));
        Feeds feeds = ((DataflowWork) worker.work()).feeds();
        boolean[] over = {false};
        Runnable again = () -> {
            if (!over[0]) {
                over[0] = true;
                begin();
            }
        };
        circuit.cluster.later(ANSWER_MILLIS, again);
        worker.process().executor().execute(() -> {
            try {
                feeds.put(request).whenComplete((put, failure) -> {
                    begun |= failure == null;
                    circuit.cluster.later(RETRY_MILLIS, again);
                });
            } catch (RuntimeException notYet) {
                circuit.cluster.later(RETRY_MILLIS, again);
            }
        });
    }

    /** The step up to which everything is submitted. */
    long step() {
        List<FeedDescription> feeds = circuit.cluster
                .await(((DataflowWork) circuit.workers.getFirst().work())
                        .feeds()
                        .list())
                .getFeedsList();
        feeds.forEach(
                feed -> assertThat(feed.getStop()).as("why the feed stopped").isEmpty());
        return feeds.stream().mapToLong(FeedDescription::getStep).max().orElse(-1);
    }

    /** What the futures are about, by step, as rows with their weights. */
    Map<Long, List<String>> fed() {
        return FedFutures.changes(futures(), NAME);
    }

    private List<FutureRecord> futures() {
        FutureKeys keys = new FutureKeys(circuit.cluster.keyspace);
        CompletableFuture<List<FutureRecord>> records = circuit.cluster.database.readAsync(transaction -> transaction
                .getRange(keys.records.range())
                .asList()
                .thenApply(rows -> rows.stream()
                        .map(row -> keys.records.decode(row.getValue()))
                        .toList()));
        return circuit.cluster.await(records);
    }
}
