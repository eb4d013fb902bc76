/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tables for {@link RandomQueries}, of few different values so that rows meet. */
public final class RandomTables {

    private RandomTables() {}

    /** A table with some columns. */
    public static Relation table(String name, SplittableRandom random) {
        List<Relation.Column> columns = new ArrayList<>();
        columns.add(new Relation.Column("n", ColumnType.of(TypeKind.INTEGER).orNull()));
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            ColumnType type =
                    switch (random.nextInt(7)) {
                        case 0 -> ColumnType.of(TypeKind.BIGINT);
                        case 1 -> ColumnType.decimal(8, 2);
                        case 2 -> ColumnType.of(TypeKind.DATE);
                        case 3 -> ColumnType.of(TypeKind.TIMESTAMP);
                        case 4 -> ColumnType.of(TypeKind.BOOLEAN);
                        default -> ColumnType.of(TypeKind.VARCHAR);
                    };
            columns.add(new Relation.Column("c" + i, type.orNull()));
        }
        return new Relation(name, columns, Map.of());
    }

    /** A value of a column. */
    public static @Nullable Object value(ColumnType type, SplittableRandom random) {
        if (random.nextInt(5) == 0) {
            return null;
        }
        return switch (type.kind()) {
            case INTEGER, BIGINT -> (long) random.nextInt(-2, 6);
            case DECIMAL -> BigDecimal.valueOf(random.nextInt(-2, 6) * 50L, 2);
            case DATE -> LocalDate.of(2024, 2, 27).plusDays(random.nextInt(5));
            case TIMESTAMP -> LocalDateTime.of(2024, 2, 28, 23, 0).plusMinutes(random.nextInt(8) * 47L);
            case BOOLEAN -> random.nextBoolean();
            default -> List.of("", "a", "ab", " b ", "xb", "日本b").get(random.nextInt(6));
        };
    }

    /** A program of these tables, and views v0, v1 and so on. */
    public static String program(List<Relation> tables, List<String> views) {
        StringBuilder program = new StringBuilder();
        for (Relation table : tables) {
            program.append(table.columns().stream()
                    .map(column -> column.name() + " " + column.type())
                    .collect(Collectors.joining(", ", "CREATE TABLE " + table.name() + " (", ");\n")));
        }
        for (int i = 0; i < views.size(); i++) {
            program.append("CREATE VIEW v" + i + " AS " + views.get(i) + ";\n");
        }
        return program.toString();
    }
}
