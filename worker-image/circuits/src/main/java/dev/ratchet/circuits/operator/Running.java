/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowOrder;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.Storage;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What calls that see a group from its start to the row know of it up to a row: numbers, sums, the first value. Rows
 * come in order; the next row needs no other of those before. Can be stored and taken up again.
 */
final class Running {

    /** Copies of a row that are numbered one by one. */
    private static final long COPIES_MAX = 10_000_000;

    private static final ColumnType NUMBER = ColumnType.of(TypeKind.BIGINT);

    private final List<WindowCall> calls;
    private final List<ColumnType> stored;
    private final Storage[] storages;
    private final Accumulator[] sums;
    private final RowBuffer[] firsts;

    /** Of numbers: rows, for DENSE_RANK those that are no peers of the one before; and of the first peer the number. */
    private final long[] counts;

    private final long[] ranks;
    private final RowSchema schema;
    private final PeerComparison peers;
    private final boolean perCopy;
    private final RowBuffer results;
    private final RowBuffer mine;

    Running(OrderedLayout layout, List<ColumnType> columns, List<WindowCall> calls) {
        this.calls = calls;
        this.schema = new RowSchema(columns, List.of());
        this.peers = new PeerComparison(layout);
        this.sums = new Accumulator[calls.size()];
        this.firsts = new RowBuffer[calls.size()];
        this.counts = new long[calls.size()];
        this.ranks = new long[calls.size()];
        this.stored = new ArrayList<>();
        boolean numbersCopies = false;
        for (int i = 0; i < sums.length; i++) {
            WindowCall call = calls.get(i);
            AggregateCall aggregate = call.aggregate();
            if (aggregate != null) {
                sums[i] = Accumulator.of(aggregate, columns);
                stored.addAll(sums[i].columns());
                numbersCopies |= !call.frame().byValue();
            } else if (call.kind() == WindowCall.WindowKind.FIRST_VALUE) {
                firsts[i] = new RowBuffer(1);
                stored.add(columns.get(call.argument()).orNull());
            } else if (isNumber(call)) {
                stored.addAll(List.of(NUMBER, NUMBER));
            }
            numbersCopies |= call.kind() == WindowCall.WindowKind.ROW_NUMBER;
        }
        this.perCopy = numbersCopies;
        this.storages = stored.stream().map(ColumnType::storage).toArray(Storage[]::new);
        this.results = new RowBuffer(calls.size());
        this.mine = new RowBuffer(storages.length);
        clear();
    }

    /** Whether all calls see their group from its start, and no further than the peers of the row. */
    static boolean isFor(List<WindowCall> calls) {
        return calls.stream().allMatch(Running::isFor);
    }

    private static boolean isFor(WindowCall call) {
        WindowFrame frame = call.frame();
        boolean runs = frame.from() == WindowFrame.UNBOUNDED_PRECEDING && frame.to() == 0 && !call.ignoreNulls();
        AggregateCall aggregate = call.aggregate();
        return switch (call.kind()) {
            case ROW_NUMBER, RANK, DENSE_RANK -> true;
            case FIRST_VALUE, LAST_VALUE -> runs;
            case AGGREGATE -> runs && aggregate != null && !aggregate.distinct() && isSum(aggregate.kind());
            default -> false;
        };
    }

    private static boolean isNumber(WindowCall call) {
        return switch (call.kind()) {
            case ROW_NUMBER, RANK, DENSE_RANK -> true;
            default -> false;
        };
    }

    private static boolean isSum(AggregateKind kind) {
        return kind.isLinear() || kind == AggregateKind.MIN || kind == AggregateKind.MAX;
    }

    /** Whether what a row sees ends with the last of its peers, so that all of them are needed at once. */
    static boolean seesPeers(List<WindowCall> calls) {
        return calls.stream()
                .anyMatch(call -> call.frame().byValue()
                        && (call.aggregate() != null || call.kind() == WindowCall.WindowKind.LAST_VALUE));
    }

    /** The stored form. */
    List<ColumnType> columns() {
        return stored;
    }

    /** Goes in front of the first row. */
    void clear() {
        Arrays.fill(counts, 0);
        Arrays.fill(ranks, 0);
        peers.reset();
        for (int i = 0; i < sums.length; i++) {
            if (sums[i] != null) {
                sums[i].clear();
            }
            if (firsts[i] != null) {
                firsts[i].setNull(0);
            }
        }
    }

    /**
     * Goes behind a row.
     *
     * @param arranged the row, and what was known behind it from a column on
     */
    void restore(RowView arranged, int at) {
        clear();
        peers.isPeer(arranged);
        int column = at;
        for (int i = 0; i < sums.length; i++) {
            if (sums[i] != null) {
                sums[i].merge(arranged, column);
                column += sums[i].columns().size();
            } else if (firsts[i] != null) {
                firsts[i].copy(0, storages[column - at], arranged, column++);
            } else if (isNumber(calls.get(i))) {
                counts[i] = arranged.longAt(column++);
                ranks[i] = arranged.longAt(column++);
            }
        }
    }

    void store(RowWriter out, int at) {
        int column = at;
        for (int i = 0; i < sums.length; i++) {
            if (sums[i] != null) {
                sums[i].store(out, column);
                column += sums[i].columns().size();
            } else if (firsts[i] != null) {
                out.copy(column, storages[column - at], firsts[i], 0);
                column++;
            } else if (isNumber(calls.get(i))) {
                out.setLong(column++, counts[i]);
                out.setLong(column++, ranks[i]);
            }
        }
    }

    /** Whether every row that follows sees the same here and there. */
    boolean agrees(Running other) {
        store(mine, 0);
        other.store(other.mine, 0);
        return peers.isSame(other.peers) && RowOrder.compare(storages, mine, other.mine, 0, storages.length) == 0;
    }

    /** Goes behind rows, giving nothing for them. */
    void pass(PeerRows unit) {
        enter(unit);
        for (int i = 0; i < unit.size(); i++) {
            count(unit.row(i), unit.weight(i));
        }
    }

    /** Goes behind rows, giving for each what the calls make of it. */
    void give(PeerRows unit, JoinedRow widened, int sign, RowSink out) {
        enter(unit);
        for (int i = 0; i < unit.size(); i++) {
            RowView row = unit.row(i);
            long weight = unit.weight(i);
            if (perCopy && weight > COPIES_MAX) {
                count(row, weight);
                ArithmeticException tooMany =
                        new ArithmeticException("A window numbers " + weight + " copies of one row, the limit is "
                                + COPIES_MAX + "; use RANK, or a frame by RANGE, which is the same for all copies");
                out.fail(tooMany, Rows.text(schema, row, null), sign * weight);
                continue;
            }
            long copies = perCopy ? weight : 1;
            for (long copy = 0; copy < copies; copy++) {
                count(row, weight / copies);
                ArithmeticException failure = compute(row, unit.row(unit.size() - 1));
                if (failure == null) {
                    out.push(widened.of(row, results), sign * (weight / copies));
                } else {
                    out.fail(failure, Rows.text(schema, row, null), sign * (weight / copies));
                }
            }
        }
    }

    /** Of peers that come, what all of them see. */
    private void enter(PeerRows unit) {
        boolean isFirst = peers.isAtStart();
        boolean isPeer = peers.isPeer(unit.arranged(0));
        for (int i = 0; i < sums.length; i++) {
            WindowCall call = calls.get(i);
            switch (call.kind()) {
                case RANK -> ranks[i] = isPeer ? ranks[i] : counts[i] + 1;
                case DENSE_RANK -> counts[i] += isPeer ? 0 : 1;
                case FIRST_VALUE -> {
                    if (isFirst) {
                        firsts[i].copy(0, call.result().storage(), unit.row(0), call.argument());
                    }
                }
                case AGGREGATE -> {
                    for (int row = 0; call.frame().byValue() && row < unit.size(); row++) {
                        sums[i].add(unit.row(row), unit.weight(row));
                    }
                }
                default -> {}
            }
        }
    }

    private void count(RowView row, long weight) {
        for (int i = 0; i < sums.length; i++) {
            WindowCall call = calls.get(i);
            switch (call.kind()) {
                case ROW_NUMBER, RANK -> counts[i] = Math.addExact(counts[i], weight);
                case AGGREGATE -> {
                    if (!call.frame().byValue()) {
                        sums[i].add(row, weight);
                    }
                }
                default -> {}
            }
        }
    }

    /** Sets what the calls make of a row; returns what is wrong with the first that fails, null where none does. */
    private @Nullable ArithmeticException compute(RowView row, RowView lastPeer) {
        ArithmeticException failure = null;
        for (int i = 0; i < sums.length; i++) {
            WindowCall call = calls.get(i);
            Storage storage = call.result().storage();
            switch (call.kind()) {
                case ROW_NUMBER, DENSE_RANK -> results.setLong(i, counts[i]);
                case RANK -> results.setLong(i, ranks[i]);
                case FIRST_VALUE -> results.copy(i, storage, firsts[i], 0);
                case LAST_VALUE -> results.copy(i, storage, call.frame().byValue() ? lastPeer : row, call.argument());
                default -> {
                    try {
                        sums[i].result(results, i);
                    } catch (ArithmeticException e) {
                        failure = failure == null ? e : failure;
                    }
                }
            }
        }
        return failure;
    }
}
