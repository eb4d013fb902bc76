/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.sample.Samples;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ValueOrderTest {

    static LongStream seeds() {
        return Samples.seeds(300);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void storedValuesAreOrderedAsTheirObjects(long seed) {
        Samples samples = new Samples(seed);
        ColumnType type = samples.type(3).orNull();
        RowBuffer left = new RowBuffer(1);
        RowBuffer right = new RowBuffer(1);
        for (int i = 0; i < 30; i++) {
            Object a = samples.value(type);
            Object b = samples.value(type);
            ObjectValues.write(type, a, left, 0);
            ObjectValues.write(type, b, right, 0);
            if (type.kind() != TypeKind.MAP && !type.toString().contains("MAP<")) {
                assertThat(Integer.signum(RowOrder.compare(type.storage(), left, 0, right, 0)))
                        .as("%s against %s of %s", a, b, type)
                        .isEqualTo(Integer.signum(compare(type, a, b)));
            }
            ObjectValues.write(type, ObjectValues.read(type, left, 0), right, 0);
            assertThat(RowOrder.compare(type.storage(), left, 0, right, 0))
                    .as("%s of %s, written, read and written", a, type)
                    .isZero();
        }
    }

    @Test
    void aValueThatDoesNotFitItsTypeIsRefused() {
        RowBuffer row = new RowBuffer(1);
        assertThatThrownBy(() -> ObjectValues.write(ColumnType.of(TypeKind.TINYINT), 128L, row, 0))
                .isInstanceOf(ArithmeticException.class)
                .hasMessageContaining("128");
        assertThatThrownBy(() -> ObjectValues.write(ColumnType.decimal(3, 1), new BigDecimal("0.25"), row, 0))
                .hasMessageContaining("0.25");
        assertThatThrownBy(() -> ObjectValues.write(ColumnType.decimal(3, 1), new BigDecimal("100"), row, 0))
                .hasMessageContaining("DECIMAL(3, 1)");
        assertThatThrownBy(() -> ObjectValues.write(ColumnType.of(TypeKind.DATE), null, row, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** The order SQL has, of objects, written down without the stored form. */
    private static int compare(ColumnType type, Object left, Object right) {
        if (left == null || right == null) {
            return Boolean.compare(left != null, right != null);
        }
        return switch (type.kind()) {
            case BOOLEAN -> Boolean.compare((Boolean) left, (Boolean) right);
            case TINYINT, SMALLINT, INTEGER, BIGINT -> Long.compare((Long) left, (Long) right);
            case REAL, DOUBLE -> Double.compare((Double) left + 0.0, (Double) right + 0.0);
            case VARCHAR ->
                Arrays.compareUnsigned(
                        ((String) left).getBytes(StandardCharsets.UTF_8),
                        ((String) right).getBytes(StandardCharsets.UTF_8));
            case VARBINARY -> Arrays.compareUnsigned((byte[]) left, (byte[]) right);
            case DECIMAL -> ((BigDecimal) left).compareTo((BigDecimal) right);
            case DATE -> ((java.time.LocalDate) left).compareTo((java.time.LocalDate) right);
            case TIME -> ((java.time.LocalTime) left).compareTo((java.time.LocalTime) right);
            case TIMESTAMP -> ((java.time.LocalDateTime) left).compareTo((java.time.LocalDateTime) right);
            case INTERVAL_MONTHS ->
                Long.compare(((java.time.Period) left).toTotalMonths(), ((java.time.Period) right).toTotalMonths());
            case INTERVAL_MICROS -> ((java.time.Duration) left).compareTo((java.time.Duration) right);
            case ARRAY, STRUCT -> compareLists(type, (List<?>) left, (List<?>) right);
            case MAP -> throw new IllegalArgumentException("maps have no order in SQL");
        };
    }

    private static int compareLists(ColumnType type, List<?> left, List<?> right) {
        for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
            ColumnType part =
                    type.fields().get(type.kind() == TypeKind.ARRAY ? 0 : i).type();
            int order = compare(part, left.get(i), right.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.size(), right.size());
    }
}
