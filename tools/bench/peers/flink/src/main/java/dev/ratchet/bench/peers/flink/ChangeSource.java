/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.flink;

import dev.ratchet.bench.nexmark.NexmarkChangeReader;
import dev.ratchet.bench.nexmark.NexmarkJob;
import dev.ratchet.circuits.nexmark.NexmarkTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.lib.util.IteratorSourceEnumerator;
import org.apache.flink.api.connector.source.lib.util.IteratorSourceReader;
import org.apache.flink.api.connector.source.lib.util.IteratorSourceSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.binary.BinaryStringData;
import org.apache.flink.types.RowKind;

/** The changes of the job, of the tables that the query reads, in one split for each reader. */
final class ChangeSource implements Source<RowData, ChangeSource.Split, Collection<ChangeSource.Split>> {

    private static final long serialVersionUID = 1;

    private final Set<String> tables;

    ChangeSource(Set<String> tables) {
        this.tables = Set.copyOf(tables);
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.BOUNDED;
    }

    @Override
    public SourceReader<RowData, Split> createReader(SourceReaderContext context) {
        return new IteratorSourceReader<>(context);
    }

    @Override
    public SplitEnumerator<Split, Collection<Split>> createEnumerator(SplitEnumeratorContext<Split> context) {
        int parts = context.currentParallelism();
        List<Split> splits = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
            splits.add(new Split(part, parts, tables));
        }
        return new IteratorSourceEnumerator<>(context, splits);
    }

    @Override
    public SplitEnumerator<Split, Collection<Split>> restoreEnumerator(
            SplitEnumeratorContext<Split> context, Collection<Split> splits) {
        return new IteratorSourceEnumerator<>(context, splits);
    }

    @Override
    public SimpleVersionedSerializer<Split> getSplitSerializer() {
        return new SplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<Collection<Split>> getEnumeratorCheckpointSerializer() {
        return new NoCheckpoints();
    }

    /** Every event whose number falls to one reader. */
    record Split(int part, int parts, Set<String> tables) implements IteratorSourceSplit<RowData, Rows> {

        @Override
        public String splitId() {
            return Integer.toString(part);
        }

        @Override
        public Rows getIterator() {
            NexmarkJob job = Objects.requireNonNull(FlinkProcess.job);
            job.begins();
            return new Rows(new NexmarkChangeReader(job.changes(), part, parts), tables);
        }

        @Override
        public IteratorSourceSplit<RowData, Rows> getUpdatedSplitForIterator(Rows iterator) {
            return this;
        }
    }

    /** Rows of the published shape: the kind, and a row in the column of its table. */
    static final class Rows implements Iterator<RowData> {

        private final NexmarkChangeReader changes;
        private final Set<NexmarkTable> tables;
        private boolean ahead;
        private boolean present;

        Rows(NexmarkChangeReader changes, Set<String> tables) {
            this.changes = changes;
            this.tables = tables.stream()
                    .map(table -> NexmarkTable.valueOf(table.toUpperCase(Locale.ROOT)))
                    .collect(Collectors.toSet());
        }

        @Override
        public boolean hasNext() {
            if (!ahead) {
                do {
                    present = changes.next();
                } while (present && !tables.contains(changes.table()));
                ahead = true;
            }
            return present;
        }

        @Override
        public RowData next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            ahead = false;
            NexmarkTable table = changes.table();
            List<NexmarkTable.Column> columns = table.columns();
            GenericRowData row = new GenericRowData(columns.size());
            for (int i = 0; i < columns.size(); i++) {
                row.setField(
                        i,
                        switch (columns.get(i).kind()) {
                            case NUMBER -> changes.numberAt(i);
                            case TIME -> TimestampData.fromEpochMillis(changes.numberAt(i));
                            case TEXT ->
                                BinaryStringData.fromBytes(changes.bytes(), changes.offsetAt(i), changes.lengthAt(i));
                        });
            }
            GenericRowData event = new GenericRowData(changes.weight() > 0 ? RowKind.INSERT : RowKind.DELETE, 4);
            event.setField(0, table.code());
            event.setField(1 + table.code(), row);
            return event;
        }
    }

    private static final class SplitSerializer implements SimpleVersionedSerializer<Split> {

        @Override
        public int getVersion() {
            return 1;
        }

        @Override
        public byte[] serialize(Split split) {
            return (split.part + " " + split.parts + " " + String.join(" ", split.tables))
                    .getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Split deserialize(int version, byte[] bytes) {
            List<String> words = List.of(new String(bytes, StandardCharsets.UTF_8).split(" ", -1));
            return new Split(
                    Integer.parseInt(words.get(0)),
                    Integer.parseInt(words.get(1)),
                    Set.copyOf(words.subList(2, words.size())));
        }
    }

    /** Jobs run to their end without checkpoints, so nothing is ever written. */
    private static final class NoCheckpoints implements SimpleVersionedSerializer<Collection<Split>> {

        @Override
        public int getVersion() {
            return 1;
        }

        @Override
        public byte[] serialize(Collection<Split> splits) {
            return new byte[0];
        }

        @Override
        public Collection<Split> deserialize(int version, byte[] bytes) {
            return List.of();
        }
    }
}
