/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.flink;

import java.util.Set;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.sink.SinkV2Provider;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.types.RowKind;

/**
 * The sink {@code counted}: counts rows that came less those that went. Like Flink's blackhole it does not ask for what
 * a row was before an update, which spares Flink to send it.
 */
public final class CountedSink implements DynamicTableSinkFactory {

    @Override
    public String factoryIdentifier() {
        return "counted";
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of();
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of();
    }

    @Override
    public DynamicTableSink createDynamicTableSink(DynamicTableFactory.Context context) {
        return new Counted();
    }

    private record Counted() implements DynamicTableSink {

        @Override
        public ChangelogMode getChangelogMode(ChangelogMode requested) {
            ChangelogMode.Builder mode = ChangelogMode.newBuilder();
            requested.getContainedKinds().stream()
                    .filter(kind -> kind != RowKind.UPDATE_BEFORE)
                    .forEach(mode::addContainedKind);
            return mode.build();
        }

        @Override
        public SinkRuntimeProvider getSinkRuntimeProvider(DynamicTableSink.Context context) {
            return SinkV2Provider.of(new Counter());
        }

        @Override
        public DynamicTableSink copy() {
            return this;
        }

        @Override
        public String asSummaryString() {
            return "counted";
        }
    }

    private static final class Counter implements Sink<RowData> {

        private static final long serialVersionUID = 1;

        @Override
        public SinkWriter<RowData> createWriter(WriterInitContext context) {
            return new SinkWriter<>() {
                private long rows;

                @Override
                public void write(RowData row, SinkWriter.Context context) {
                    rows += switch (row.getRowKind()) {
                        case INSERT -> 1;
                        case UPDATE_BEFORE, UPDATE_AFTER -> 0;
                        case DELETE -> -1;
                    };
                }

                @Override
                public void flush(boolean ends) {
                    FlinkProcess.ROWS.add(rows);
                    rows = 0;
                }

                @Override
                public void close() {
                    FlinkProcess.ROWS.add(rows);
                    rows = 0;
                }
            };
        }
    }
}
