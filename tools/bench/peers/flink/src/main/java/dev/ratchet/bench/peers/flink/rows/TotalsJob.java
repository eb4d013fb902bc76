/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.flink.rows;

import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/** How many rows each key has, and its largest text: what the circuit beside it keeps. */
final class TotalsJob {

    private TotalsJob() {}

    /**
     * Submits the job; it runs until its cluster ends.
     *
     * @param bufferMillis how long a row waits for others before it is sent to another process
     * @return the id of the job
     */
    static String submit(FlinkCluster cluster, RowServer rows, int parallelism, int bufferMillis) throws Exception {
        Map<String, String> settings = cluster.ofJob();
        settings.put("execution.buffer-timeout.interval", bufferMillis + " ms");
        settings.put("parallelism.default", Integer.toString(parallelism));
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.createRemoteEnvironment(
                "127.0.0.1", cluster.restPort(), Configuration.fromMap(settings));
        environment
                .addSource(new LogSource(rows.port()), "log", Types.TUPLE(Types.LONG, Types.STRING))
                .keyBy(row -> row.f0, Types.LONG)
                .process(new Totals(), Types.TUPLE(Types.LONG, Types.LONG))
                .sinkTo(new CommittedSink(rows.port()));
        return environment.executeAsync("totals").getJobID().toHexString();
    }

    private static final class Totals extends KeyedProcessFunction<Long, Tuple2<Long, String>, Tuple2<Long, Long>> {

        private static final long serialVersionUID = 1;

        private transient @Nullable ValueState<Tuple2<Long, String>> kept;

        @Override
        public void open(OpenContext context) {
            kept = getRuntimeContext()
                    .getState(new ValueStateDescriptor<>("kept", Types.TUPLE(Types.LONG, Types.STRING)));
        }

        @Override
        public void processElement(Tuple2<Long, String> row, Context context, Collector<Tuple2<Long, Long>> out)
                throws Exception {
            ValueState<Tuple2<Long, String>> state = kept;
            if (state == null) {
                throw new IllegalStateException("Not open");
            }
            Tuple2<Long, String> before = state.value();
            long total = before == null ? 1 : before.f0 + 1;
            String text = before == null || before.f1.compareTo(row.f1) < 0 ? row.f1 : before.f1;
            state.update(Tuple2.of(total, text));
            out.collect(Tuple2.of(row.f0, total));
        }
    }
}
