/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.Storage;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some columns of what another mapper makes, each written where it is wanted at once. One thread at a time. */
final class ProjectedMapper implements RowMapper, RowWriter {

    private static final int UNWANTED = -1;

    private final RowMapper mapper;
    private final List<Integer> columns;

    /** For each column of the other mapper the one here, or {@link #UNWANTED}. */
    private final int[] places;

    private RowWriter out = new RowBuffer(0);

    private ProjectedMapper(RowMapper mapper, List<Integer> columns, int[] places) {
        this.mapper = mapper;
        this.columns = columns;
        this.places = places;
    }

    /** A map and a projection behind it as one; null where the projection wants a column twice. */
    static PipeStage.@Nullable Map of(PipeStage.Map stage, List<Integer> columns) {
        if (new HashSet<>(columns).size() < columns.size()) {
            return null;
        }
        int[] places = new int[stage.columns().size()];
        Arrays.fill(places, UNWANTED);
        for (int place = 0; place < columns.size(); place++) {
            places[columns.get(place)] = place;
        }
        return new PipeStage.Map(
                columns.stream().map(stage.columns()::get).toList(),
                new ProjectedMapper(stage.mapper(), columns, places));
    }

    @Override
    public void map(RowView row, RowWriter target) {
        out = target;
        mapper.map(row, this);
    }

    @Override
    public RowMapper forThread() {
        return new ProjectedMapper(mapper.forThread(), columns, places);
    }

    @Override
    @SuppressWarnings("ReturnsNullCollection") // As of every mapper.
    public int @Nullable [] columnsCopied() {
        int[] copied = mapper.columnsCopied();
        return copied == null
                ? null
                : columns.stream().mapToInt(column -> copied[column]).toArray();
    }

    @Override
    public void setNull(int column) {
        if (places[column] != UNWANTED) {
            out.setNull(places[column]);
        }
    }

    @Override
    public void setLong(int column, long value) {
        if (places[column] != UNWANTED) {
            out.setLong(places[column], value);
        }
    }

    @Override
    public void setWide(int column, long high, long low) {
        if (places[column] != UNWANTED) {
            out.setWide(places[column], high, low);
        }
    }

    @Override
    public void setBytes(int column, byte[] source, int offset, int length) {
        if (places[column] != UNWANTED) {
            out.setBytes(places[column], source, offset, length);
        }
    }

    @Override
    public void copy(int column, Storage storage, RowView row, int from) {
        if (places[column] != UNWANTED) {
            out.copy(places[column], storage, row, from);
        }
    }
}
