/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.hazelcast;

import static com.hazelcast.jet.aggregate.AggregateOperations.counting;
import static com.hazelcast.jet.aggregate.AggregateOperations.pickAny;
import static com.hazelcast.jet.pipeline.WindowDefinition.session;
import static com.hazelcast.jet.pipeline.WindowDefinition.sliding;
import static com.hazelcast.jet.pipeline.WindowDefinition.tumbling;

import com.hazelcast.function.ToLongFunctionEx;
import com.hazelcast.jet.Traversers;
import com.hazelcast.jet.aggregate.AggregateOperation;
import com.hazelcast.jet.aggregate.AggregateOperation1;
import com.hazelcast.jet.datamodel.KeyedWindowResult;
import com.hazelcast.jet.datamodel.Tuple2;
import com.hazelcast.jet.pipeline.Pipeline;
import com.hazelcast.jet.pipeline.Sink;
import com.hazelcast.jet.pipeline.SinkBuilder;
import com.hazelcast.jet.pipeline.StreamStage;
import dev.ratchet.bench.nexmark.NexmarkEngine.NotAnsweredException;
import dev.ratchet.circuits.nexmark.NexmarkTable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** The questions that pipelines can ask. Stages that end in a sink give the rows that the SQL of the question gives. */
final class JetQueries {

    private static final long LAG_MILLIS = 4_000;
    private static final long WINDOW_MILLIS = 10_000;
    private static final long SLIDE_MILLIS = 2_000;
    private static final int Q2_DIVISOR = 123;
    private static final BigDecimal EURO = new BigDecimal("0.908");

    private JetQueries() {}

    /** What q1 makes of a bid. */
    private record Converted(long auction, long bidder, BigDecimal price, long timeMillis, NexmarkRow.Text extra) {}

    /** What q2 shows of a bid. */
    private record Priced(long auction, long price) {}

    /** What q8 shows of a person. */
    private record Seller(long id, NexmarkRow.Text name, long startMillis) {}

    static Pipeline pipeline(String query, int threads) throws NotAnsweredException {
        Pipeline pipeline = Pipeline.create();
        StreamStage<?> result =
                switch (query) {
                    case "q0" -> bids(pipeline, threads);
                    case "q1" -> bids(pipeline, threads).map(JetQueries::converted);
                    case "q2" ->
                        bids(pipeline, threads)
                                .filter(bid -> bid.id() % Q2_DIVISOR == 0)
                                .map(bid -> new Priced(bid.id(), bid.price()));
                    case "q5" ->
                        bids(pipeline, threads)
                                .window(sliding(WINDOW_MILLIS, SLIDE_MILLIS))
                                .groupingKey(NexmarkRow::id)
                                .aggregate(counting())
                                .window(tumbling(SLIDE_MILLIS))
                                .aggregate(greatest(KeyedWindowResult::result))
                                .flatMap(window -> Traversers.traverseIterable(window.result()));
                    case "q7" ->
                        bids(pipeline, threads)
                                .window(tumbling(WINDOW_MILLIS))
                                .aggregate(greatest(NexmarkRow::price))
                                .flatMap(window -> Traversers.traverseIterable(window.result()));
                    case "q8" -> sellers(pipeline, threads);
                    case "q11" ->
                        bids(pipeline, threads)
                                .window(session(WINDOW_MILLIS))
                                .groupingKey(NexmarkRow::owner)
                                .aggregate(counting());
                    case "q12" ->
                        bids(pipeline, threads)
                                .window(tumbling(WINDOW_MILLIS))
                                .groupingKey(NexmarkRow::owner)
                                .aggregate(counting());
                    default ->
                        throw new NotAnsweredException("no pipeline says it: Jet joins and keeps up to date within"
                                + " windows alone, or it is not written yet");
                };
        result.writeTo(counted()).setLocalParallelism(threads);
        return pipeline;
    }

    private static StreamStage<NexmarkRow> bids(Pipeline pipeline, int threads) {
        return events(pipeline, NexmarkTable.BID, threads);
    }

    private static StreamStage<NexmarkRow> events(Pipeline pipeline, NexmarkTable table, int threads) {
        return pipeline.readFrom(EventSource.of(table, threads)).withNativeTimestamps(LAG_MILLIS);
    }

    private static Converted converted(NexmarkRow bid) {
        return new Converted(
                bid.id(),
                bid.owner(),
                EURO.multiply(BigDecimal.valueOf(bid.price())),
                bid.timeMillis(),
                bid.text());
    }

    private static StreamStage<Seller> sellers(Pipeline pipeline, int threads) {
        var auctions = events(pipeline, NexmarkTable.AUCTION, threads).groupingKey(NexmarkRow::owner);
        return events(pipeline, NexmarkTable.PERSON, threads)
                .groupingKey(NexmarkRow::id)
                .window(tumbling(WINDOW_MILLIS))
                .aggregate2(pickAny(), auctions, counting())
                .filter(pair -> isBoth(pair.result()))
                .map(pair -> new Seller(pair.key(), pair.result().f0().text(), pair.start()));
    }

    private static boolean isBoth(Tuple2<NexmarkRow, Long> pair) {
        return pair.f0() != null && pair.f1() > 0;
    }

    /** All items of the greatest value. */
    private static <T> AggregateOperation1<T, List<T>, List<T>> greatest(ToLongFunctionEx<? super T> value) {
        return AggregateOperation.<List<T>>withCreate(ArrayList::new)
                .<T>andAccumulate((held, item) -> add(held, item, value))
                .andCombine((held, other) -> other.forEach(item -> add(held, item, value)))
                .andExportFinish(held -> held);
    }

    private static <T> void add(List<T> held, T item, ToLongFunctionEx<? super T> value) {
        long most = held.isEmpty() ? Long.MIN_VALUE : value.applyAsLong(held.get(0));
        long of = value.applyAsLong(item);
        if (of > most) {
            held.clear();
        }
        if (of >= most) {
            held.add(item);
        }
    }

    private static Sink<Object> counted() {
        return SinkBuilder.sinkBuilder("counted", context -> new long[1])
                .<Object>receiveFn((rows, row) -> rows[0]++)
                .destroyFn(rows -> JetProcess.ROWS.add(rows[0]))
                .build();
    }
}
