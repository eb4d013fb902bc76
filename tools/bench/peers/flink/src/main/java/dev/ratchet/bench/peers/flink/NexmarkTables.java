/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.flink;

import dev.ratchet.bench.nexmark.SideInput;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.SourceProvider;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.functions.LookupFunction;

/**
 * What Flink finds its sources by: {@code nexmark} for the events, {@code nexmark-side} for the bounded table of q13.
 */
public final class NexmarkTables {

    private static final ConfigOption<String> TABLES =
            ConfigOptions.key("tables").stringType().noDefaultValue();
    private static final ConfigOption<Boolean> RETRACTIONS =
            ConfigOptions.key("retractions").booleanType().noDefaultValue();

    private NexmarkTables() {}

    /** The events. */
    public static final class Events implements DynamicTableSourceFactory {

        @Override
        public String factoryIdentifier() {
            return "nexmark";
        }

        @Override
        public Set<ConfigOption<?>> requiredOptions() {
            return Set.of(TABLES, RETRACTIONS);
        }

        @Override
        public Set<ConfigOption<?>> optionalOptions() {
            return Set.of();
        }

        @Override
        public DynamicTableSource createDynamicTableSource(Context context) {
            FactoryUtil.TableFactoryHelper options = FactoryUtil.createTableFactoryHelper(this, context);
            return new EventsSource(
                    Set.of(options.getOptions().get(TABLES).split(",")),
                    options.getOptions().get(RETRACTIONS));
        }
    }

    private record EventsSource(Set<String> tables, boolean retractions) implements ScanTableSource {

        @Override
        public ChangelogMode getChangelogMode() {
            return retractions ? ChangelogMode.all() : ChangelogMode.insertOnly();
        }

        @Override
        public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
            return SourceProvider.of(new ChangeSource(tables));
        }

        @Override
        public DynamicTableSource copy() {
            return this;
        }

        @Override
        public String asSummaryString() {
            return "nexmark";
        }
    }

    /** The bounded table, asked by key. */
    public static final class Side implements DynamicTableSourceFactory {

        @Override
        public String factoryIdentifier() {
            return "nexmark-side";
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
        public DynamicTableSource createDynamicTableSource(Context context) {
            return new SideSource();
        }
    }

    private record SideSource() implements LookupTableSource {

        @Override
        public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
            return LookupFunctionProvider.of(new SideLookup());
        }

        @Override
        public DynamicTableSource copy() {
            return this;
        }

        @Override
        public String asSummaryString() {
            return "nexmark-side";
        }
    }

    /** Ten thousand rows, made once. Public because Flink's generated code calls it. */
    public static final class SideLookup extends LookupFunction {

        private static final long serialVersionUID = 1;

        private transient RowData[] rows = new RowData[0];

        @Override
        public void open(org.apache.flink.table.functions.FunctionContext context) {
            rows = new RowData[SideInput.ROWS];
            for (int id = 0; id < SideInput.ROWS; id++) {
                rows[id] = GenericRowData.of((long) id, StringData.fromString(SideInput.label(id)));
            }
        }

        @Override
        public Collection<RowData> lookup(RowData key) {
            return List.of(Objects.requireNonNull(rows)[(int) key.getLong(0)]);
        }
    }
}
