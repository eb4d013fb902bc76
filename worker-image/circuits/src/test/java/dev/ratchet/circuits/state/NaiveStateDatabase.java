/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.batch.HashRange;
import dev.ratchet.circuits.batch.HashRanges;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.trace.TraceSettings;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The slow reference: in memory, every version a full copy of every table. */
final class NaiveStateDatabase implements StateDatabase {

    private record Version(StateRecord record, SortedMap<String, Batch> tables) {}

    private final SortedMap<Long, Version> committed =
            new TreeMap<>(Map.of(0L, new Version(StateRecord.EMPTY, new TreeMap<>())));
    private NaiveState open;

    @Override
    public StateVersions versions() {
        return new StateVersions(committed.firstKey(), committed.lastKey());
    }

    @Override
    public OpenState open(long version) {
        if (!committed.containsKey(version)) {
            throw new IllegalArgumentException("no version " + version);
        }
        committed.keySet().retainAll(List.of(version));
        open = new NaiveState();
        return open;
    }

    @Override
    public void close() {
        open = null;
    }

    private final class NaiveState implements OpenState {
        private final SortedMap<String, Map<HashRanges, Trace>> taken = new TreeMap<>();
        private final SortedMap<String, Batch> rest = new TreeMap<>(committed.get(committed.lastKey()).tables);

        private void requireOpen() {
            if (open != this) {
                throw new IllegalStateException("closed");
            }
        }

        @Override
        public long version() {
            return committed.lastKey() + 1;
        }

        @Override
        public StateRecord record() {
            return committed.get(committed.lastKey()).record;
        }

        @Override
        public SortedSet<String> tables() {
            return new TreeSet<>(rest.keySet());
        }

        @Override
        public Trace trace(String table, RowSchema schema, HashRanges ranges) {
            requireOpen();
            Batch rows = rest.computeIfAbsent(table, name -> Batch.empty(schema));
            Map<HashRanges, Trace> traces = taken.computeIfAbsent(table, name -> new LinkedHashMap<>());
            if (!rows.schema().equals(schema)
                    || traces.keySet().stream()
                            .anyMatch(other -> !other.intersect(ranges).isEmpty())) {
                throw new IllegalArgumentException("another schema, or given before");
            }
            Trace trace = new Trace(schema, TraceSettings.IN_MEMORY);
            trace.insert(BatchMerge.merge(schema, slices(rows, ranges)));
            rest.put(table, within(rows, ranges.complement()));
            traces.put(ranges, trace);
            return trace;
        }

        private static List<Batch> slices(Batch rows, HashRanges ranges) {
            return ranges.ranges().stream().map(rows::slice).toList();
        }

        private static Batch within(Batch rows, HashRanges ranges) {
            return BatchMerge.merge(rows.schema(), slices(rows, ranges));
        }

        @Override
        public void dropTable(String table) {
            if (taken.containsKey(table)) {
                throw new IllegalArgumentException("in use");
            }
            rest.remove(table);
        }

        private Batch rows(String table) {
            List<Batch> all = new ArrayList<>(List.of(rest.get(table)));
            taken.getOrDefault(table, Map.of()).values().forEach(trace -> all.addAll(trace.batches()));
            return BatchMerge.merge(rest.get(table).schema(), all);
        }

        @Override
        public PendingCommit prepare(StateRecord record) {
            requireOpen();
            SortedMap<String, Batch> content = new TreeMap<>();
            rest.keySet().forEach(table -> content.put(table, rows(table)));
            long version = version();
            return new PendingCommit() {
                @Override
                public long version() {
                    return version;
                }

                @Override
                public void complete() {
                    requireOpen();
                    committed.put(version, new Version(record, content));
                    committed.keySet().removeIf(old -> old < version - 1);
                }
            };
        }

        @Override
        public List<ShardPiece> exportShards(HashRange range) {
            List<ShardPiece> pieces = new ArrayList<>();
            rest.keySet()
                    .forEach(table ->
                            pieces.add(new ShardPiece(table, rows(table).slice(range))));
            return pieces;
        }

        @Override
        public void importShard(ShardPiece piece) {
            HashRanges untaken = HashRanges.ALL;
            for (var entry : taken.getOrDefault(piece.table(), Map.of()).entrySet()) {
                slices(piece.rows(), entry.getKey()).forEach(entry.getValue()::insert);
                untaken = untaken.minus(entry.getKey());
            }
            RowSchema schema = piece.rows().schema();
            List<Batch> sum = new ArrayList<>(List.of(rest.getOrDefault(piece.table(), Batch.empty(schema))));
            sum.addAll(slices(piece.rows(), untaken));
            rest.put(piece.table(), BatchMerge.merge(schema, sum));
        }

        @Override
        public void dropShards(HashRange range) {
            taken.values().forEach(traces -> traces.values().forEach(trace -> trace.drop(range)));
            HashRanges others = HashRanges.of(range).complement();
            rest.replaceAll((table, rows) -> within(rows, others));
        }

        @Override
        public StateStatistics statistics() {
            long rows = rest.keySet().stream()
                    .mapToLong(table -> rows(table).rowCount())
                    .sum();
            return new StateStatistics(rows, 0, 0, 0, 0, 0);
        }
    }
}
