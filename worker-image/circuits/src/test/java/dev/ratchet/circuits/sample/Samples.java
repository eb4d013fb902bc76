/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sample;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.TypeKind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Random schemas and values, few distinct ones so that rows meet; everything follows from the seed. */
public final class Samples {

    /** Seeds of a test: {@code -Dratchet.seeds=N} tries more, {@code -Dratchet.firstSeed=S} others. */
    public static LongStream seeds(int count) {
        long first = Long.getLong("ratchet.firstSeed", 0);
        return LongStream.range(first, first + Integer.getInteger("ratchet.seeds", count));
    }

    /** How many threads a seed runs at: 1, 2, 3 or 5. */
    public static int threads(long seed) {
        return List.of(1, 2, 3, 5).get((int) Math.floorMod(seed, 4L));
    }

    private final SplittableRandom random;

    public Samples(long seed) {
        this.random = new SplittableRandom(seed);
    }

    public SplittableRandom random() {
        return random;
    }

    public RowSchema schema() {
        List<ColumnType> key = new ArrayList<>();
        List<ColumnType> value = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            key.add(type(2));
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            value.add(type(2));
        }
        return new RowSchema(key, value);
    }

    public ColumnType type(int depth) {
        TypeKind[] kinds = TypeKind.values();
        TypeKind kind = kinds[random.nextInt(kinds.length)];
        while (depth == 0 && kind.isNested()) {
            kind = kinds[random.nextInt(kinds.length)];
        }
        ColumnType type =
                switch (kind) {
                    case DECIMAL -> {
                        int precision = 1 + random.nextInt(ColumnType.PRECISION_MAX);
                        yield ColumnType.decimal(precision, random.nextInt(precision + 1));
                    }
                    case ARRAY -> ColumnType.array(type(depth - 1));
                    case MAP -> ColumnType.map(type(0), type(depth - 1));
                    case STRUCT ->
                        ColumnType.struct(List.of(
                                new ColumnType.Field("a", type(depth - 1)),
                                new ColumnType.Field("b", type(depth - 1))));
                    default -> ColumnType.of(kind);
                };
        return random.nextBoolean() ? type.orNull() : type;
    }

    public List<Object> row(RowSchema schema) {
        List<Object> row = new ArrayList<>();
        schema.columns().forEach(type -> row.add(value(type)));
        return row;
    }

    public Object value(ColumnType type) {
        if (type.nullable() && random.nextInt(4) == 0) {
            return null;
        }
        long small = random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(-3, 4);
        return switch (type.kind()) {
            case BOOLEAN -> random.nextBoolean();
            case TINYINT -> (long) (byte) small;
            case SMALLINT -> (long) (short) small;
            case INTEGER -> (long) (int) small;
            case BIGINT -> small;
            case REAL -> (double) (float) real(small);
            case DOUBLE -> real(small);
            case DECIMAL -> decimal(type, small);
            case VARCHAR -> text();
            case VARBINARY -> text().getBytes(StandardCharsets.UTF_8);
            case DATE -> LocalDate.ofEpochDay(random.nextInt(-1000, 20000));
            case TIME -> LocalTime.ofNanoOfDay(random.nextInt(86400) * 1_000_000_000L + 123_000);
            case TIMESTAMP ->
                LocalDateTime.of(1969, 12, 31, 23, 59, 58, 999_000).plusSeconds(random.nextInt(4));
            case INTERVAL_MONTHS -> Period.ofMonths((int) (short) small);
            case INTERVAL_MICROS -> Duration.ofMillis(small % 100_000_000);
            case ARRAY -> list(type.fields().get(0).type(), random.nextInt(4));
            case MAP -> {
                Map<Object, Object> map = new LinkedHashMap<>();
                for (int i = random.nextInt(3); i > 0; i--) {
                    map.put(
                            value(type.fields().get(0).type()),
                            value(type.fields().get(1).type()));
                }
                yield map;
            }
            case STRUCT -> {
                List<Object> parts = new ArrayList<>();
                type.fields().forEach(field -> parts.add(value(field.type())));
                yield parts;
            }
        };
    }

    private List<Object> list(ColumnType element, int size) {
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            list.add(value(element));
        }
        return list;
    }

    private static double real(long small) {
        return switch ((int) small) {
            case 0 -> -0.0;
            case 1 -> Double.NaN;
            case 2 -> Double.NEGATIVE_INFINITY;
            default -> small / 3.0;
        };
    }

    private BigDecimal decimal(ColumnType type, long small) {
        BigInteger limit = BigInteger.TEN.pow(type.precision());
        BigInteger unscaled = BigInteger.valueOf(small);
        if (random.nextInt(4) == 0) {
            unscaled = unscaled.multiply(BigInteger.valueOf(random.nextLong()));
        }
        return new BigDecimal(unscaled.remainder(limit), type.scale());
    }

    private String text() {
        String[] parts = {"", "a", "b", "\u0000", "ä", "\uD83D\uDE00", "zz"};
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(parts[random.nextInt(parts.length)]);
        }
        return text.toString();
    }
}
