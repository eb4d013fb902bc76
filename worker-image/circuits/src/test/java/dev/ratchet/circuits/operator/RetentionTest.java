/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.circuit.Watermarks;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.trace.TraceSettings;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.TypeKind;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows are kept from a bound on, the bound included, and what was let go stays so. */
class RetentionTest {

    private static final RowSchema NUMBERS =
            new RowSchema(List.of(ColumnType.of(TypeKind.BIGINT).orNull()), List.of());

    private final Watermarks watermarks = new Watermarks(2);
    private final Retention retention = new Retention();

    private Retention.Kept kept() {
        return retention.of(new Trace(NUMBERS, TraceSettings.IN_MEMORY), watermarks);
    }

    private static boolean isKept(Retention.Kept kept, @Nullable Long number) {
        RowBuffer row = new RowBuffer(1);
        if (number == null) {
            row.setNull(0);
        } else {
            row.setLong(0, number);
        }
        return kept.test(row);
    }

    @Test
    void rowsAreKeptFromTheBoundOnAndWithoutATime() {
        retention.keepFrom(0, Bound.of(0));
        Retention.Kept kept = kept();
        assertThat(isKept(kept, Long.MIN_VALUE)).isTrue();
        watermarks.raise(0, 5);
        kept.advance();
        assertThat(isKept(kept, 4L)).isFalse();
        assertThat(isKept(kept, 5L)).isTrue();
        assertThat(isKept(kept, null)).isTrue();
    }

    /** A function of a watermark that can not be computed gives the least number. */
    @Test
    void whatWasLetGoStaysGoneWhereTheBoundIsNotKnownAnyMore() {
        retention.keepFrom(0, Bound.of(0).map(value -> value == 7 ? Long.MIN_VALUE : value));
        Retention.Kept kept = kept();
        watermarks.raise(0, 5);
        kept.advance();
        watermarks.raise(0, 7);
        kept.advance();
        assertThat(isKept(kept, 4L)).isFalse();
    }

    @Test
    void rowsAreKeptAsLongAsAnyReaderMayComeToThem() {
        retention.keepFrom(0, Bound.of(0));
        retention.keepFrom(0, Bound.of(1));
        Retention.Kept kept = kept();
        watermarks.raise(0, 5);
        watermarks.raise(1, 3);
        kept.advance();
        assertThat(isKept(kept, 3L)).isTrue();
        assertThat(isKept(kept, 2L)).isFalse();
    }
}
