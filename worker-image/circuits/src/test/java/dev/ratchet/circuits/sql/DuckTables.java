/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.type.ColumnType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The independent judge: the same tables in DuckDB, and queries over their whole content. */
public final class DuckTables implements AutoCloseable {

    /** Letters of Java as those of C. */
    private static final String PATTERN = "replace(replace(replace(replace(replace(replace(pattern, 'yyyy', '%Y'),"
            + " 'MM', '%m'), 'dd', '%d'), 'HH', '%H'), 'mm', '%M'), 'ss', '%S')";

    /** What DuckDB calls otherwise. */
    private static final List<String> FUNCTIONS = List.of(
            "array_compact(a) AS list_filter(a, lambda x: x IS NOT NULL)",
            "array_except(a, b) AS list_filter(list_distinct(a), lambda x: NOT list_contains(b, x))",
            "array_intersect(a, b) AS list_filter(list_distinct(a), lambda x: list_contains(b, x))",
            "array_insert(a, n, x) AS list_concat(list_concat(a[:n - 1], [x]), a[n:])",
            "array_position(a, x) AS CASE WHEN x IS NOT NULL THEN coalesce(list_position(a, x), 0) END",
            "array_prepend(a, x) AS list_concat([x], a)",
            "array_repeat(x, n) AS repeat([x], n)",
            "array_union(a, b) AS list_distinct(list_concat(a, b))",
            "arrays_overlap(a, b) AS list_has_any(a, b)",
            "bround(x, digits) AS round_even(x, digits)",
            "date_format(x, pattern) AS strftime(x, " + PATTERN + ")",
            "format_date(pattern, x) AS strftime(x, pattern)",
            "format_timestamp(pattern, x) AS strftime(x, pattern)",
            "greatest_ignore_nulls(x, y, z) AS greatest(x, y, z)",
            "least_ignore_nulls(x, y, z) AS least(x, y, z)",
            "locate(x, y) AS strpos(y, x)",
            "logical_and(x) AS bool_and(x)",
            "logical_or(x) AS bool_or(x)",
            "parse_date(pattern, x) AS CAST(strptime(x, pattern) AS DATE)",
            "parse_timestamp(pattern, x) AS strptime(x, pattern)",
            "rightshift(x, n) AS x >> n",
            "sec(x) AS 1 / cos(x)",
            "sech(x) AS 1 / cosh(x)",
            "sequence(x, y) AS generate_series(x, y)",
            "sort_array(a) AS list_sort(a)",
            "to_date(x, pattern) AS CAST(CASE pattern WHEN 'yyyy/MM/dd' THEN try_strptime(x, '%Y/%m/%d')"
                    + " ELSE try_strptime(x, '%Y-%m') END AS DATE)");

    private final Connection connection;

    public DuckTables() throws SQLException {
        connection = DriverManager.getConnection("jdbc:duckdb:");
        execute("SET threads = 1");
        for (String function : FUNCTIONS) {
            execute("CREATE MACRO " + function);
        }
    }

    public void create(Relation table) throws SQLException {
        execute(table.columns().stream()
                .map(column -> column.name() + " " + typeName(column.type()))
                .collect(Collectors.joining(", ", "CREATE TABLE " + table.name() + " (", ")")));
    }

    private static String typeName(ColumnType type) {
        return type.orNull().toString();
    }

    public void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Adds a row so many times, or removes it where the weight is negative. */
    public void change(Relation table, List<? extends @Nullable Object> row, long weight) throws SQLException {
        String sql = weight > 0
                ? "INSERT INTO " + table.name() + " VALUES "
                        + row.stream().map(value -> "?").collect(Collectors.joining(", ", "(", ")"))
                : "DELETE FROM " + table.name() + " WHERE rowid = (SELECT min(rowid) FROM " + table.name() + " WHERE "
                        + table.columns().stream()
                                .map(column -> column.name() + " IS NOT DISTINCT FROM ?")
                                .collect(Collectors.joining(" AND "))
                        + ")";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < row.size(); i++) {
                Object value = row.get(i);
                statement.setObject(i + 1, value instanceof LocalDate date ? Date.valueOf(date) : value);
            }
            for (long i = Math.abs(weight); i > 0; i--) {
                statement.executeUpdate();
            }
        }
    }

    /** The rows of a query with how often each is there. */
    public Map<String, Long> query(String sql) throws SQLException {
        Map<String, Long> rows = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(text(result.getObject(i)));
                }
                rows.merge(row.toString(), 1L, Long::sum);
            }
        }
        return rows;
    }

    /** A value as text that is the same for equal values of either side; doubles by ten digits. */
    public static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "NULL";
            case Double number ->
                Double.isFinite(number)
                        ? plain(new BigDecimal(number).round(new MathContext(10)))
                        : Double.toString(number);
            case Float number -> text((double) number);
            case BigDecimal number -> plain(number);
            case BigInteger number -> plain(new BigDecimal(number));
            case Number number -> plain(BigDecimal.valueOf(number.longValue()));
            case Timestamp time -> time.toLocalDateTime().toString();
            case Date date -> date.toLocalDate().atStartOfDay().toString();
            case LocalDate date -> date.atStartOfDay().toString();
            case java.sql.Array array -> list(array);
            case List<?> list -> list.stream().map(DuckTables::text).toList().toString();
            default -> value.toString();
        };
    }

    private static String list(java.sql.Array array) {
        try {
            List<String> items = new ArrayList<>();
            for (Object item : (Object[]) array.getArray()) {
                items.add(text(item));
            }
            return items.toString();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String plain(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
