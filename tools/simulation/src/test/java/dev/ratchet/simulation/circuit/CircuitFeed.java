/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ratchet.client.ViewChange;
import dev.ratchet.feeds.Feeds;
import dev.ratchet.futures.code.CodeReader;
import dev.ratchet.futures.code.Digests;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.client.v1.FeedDescription;
import dev.ratchet.protocol.client.v1.PutFeedRequest;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
import dev.ratchet.protocol.futures.v1.FunctionRecord;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.NamedCode;
import dev.ratchet.simulation.cluster.DataflowWork;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A feed of one view, from the first step on, whose futures nobody runs: each change must be one of them. */
final class CircuitFeed {

    private static final String NAME = "fed";
    private static final long ANSWER_MILLIS = 3_000;
    private static final long RETRY_MILLIS = 100;
    private static final FunctionRecord CODE = FunctionRecord.newBuilder()
            .setNamed(NamedCode.newBuilder().setClassName("Invoices").setMethod("make"))
            .build();

    private final CircuitCluster circuit;
    private final PutFeedRequest request;
    private boolean begun;

    CircuitFeed(CircuitCluster circuit, String view) {
        this.circuit = circuit;
        ByteString digest = Digests.ofFunction(CODE);
        this.request = PutFeedRequest.newBuilder()
                .setName(NAME)
                .setView(view)
                .setAfterStep(0)
                .setPendingMax(1_000_000)
                .setFunction(SubmittedFunction.newBuilder().setDigest(digest).setCode(CODE))
                .setTemplate(SubmittedFuture.newBuilder()
                        .setJob(NAME)
                        .setFunction(digest)
                        .setArgumentKind(ArgumentKind.ARGUMENT_KIND_VALUE))
                .build();
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
        Map<Long, Map<String, List<Integer>>> ordinals = new TreeMap<>();
        for (FutureRecord record : futures()) {
            ViewChange change = change(record);
            String row =
                    change.row().asMap().values().stream().map(String::valueOf).collect(Collectors.joining(" "));
            ordinals.computeIfAbsent(change.step(), step -> new TreeMap<>())
                    .computeIfAbsent(row + (change.isAdded() ? " x" : " x-"), key -> new ArrayList<>())
                    .add(change.ordinal());
        }
        Map<Long, List<String>> shown = new TreeMap<>();
        ordinals.forEach((step, rows) -> {
            List<String> lines = new ArrayList<>();
            rows.forEach((row, numbers) -> {
                assertThat(numbers)
                        .as("ordinals of " + row + " in step " + step)
                        .containsExactlyInAnyOrderElementsOf(
                                IntStream.range(0, numbers.size()).boxed().toList());
                lines.add(row + numbers.size());
            });
            lines.sort(null);
            shown.put(step, lines);
        });
        return shown;
    }

    private static ViewChange change(FutureRecord record) {
        try {
            return (ViewChange) CodeReader.read(record.getArgument().toByteArray(), ViewChange.class.getClassLoader());
        } catch (IOException | ClassNotFoundException e) {
            throw new AssertionError("The argument of a future is no change of a view", e);
        }
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
