/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.run;

import com.google.protobuf.ByteString;
import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowHash;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A sum over rows and their weights: equal for equal changes, in whatever order and pieces they come. Stateless. */
final class StepDigest {

    private static final long FIRST = 0x9E3779B97F4A7C15L;
    private static final long SECOND = 0xC2B2AE3D27D4EB4FL;

    private StepDigest() {}

    static ByteString of(Batch changes) {
        List<ColumnType> types = new ArrayList<>(changes.schema().key());
        types.addAll(changes.schema().value());
        long first = 0;
        long second = 0;
        for (BatchCursor row = changes.cursor(); row.valid(); row.next()) {
            long state = RowHash.start();
            for (int column = 0; column < types.size(); column++) {
                state = RowHash.column(state, types.get(column), row, column);
            }
            first += row.weight() * RowHash.finish(state ^ FIRST);
            second += row.weight() * RowHash.finish(state ^ SECOND);
        }
        return ByteString.copyFrom(ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(first)
                .putLong(second)
                .flip());
    }
}
