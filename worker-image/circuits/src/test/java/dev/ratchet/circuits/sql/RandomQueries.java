/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Queries that DuckDB and we must answer alike, grown from a grammar; everything follows from the seed. */
final class RandomQueries {

    /** A column that a query can name. */
    private record Name(String text, ColumnType type) {}

    private final SplittableRandom random;
    private final List<Relation> tables;
    private int aliases;

    RandomQueries(long seed, List<Relation> tables) {
        this.random = new SplittableRandom(seed);
        this.tables = tables;
    }

    String query() {
        return switch (random.nextInt(20)) {
            case 18 -> lateral();
            case 19 -> unnested();
            case 12 -> sets();
            case 13 -> rolling();
            case 14 -> derived();
            case 15 -> scalars();
            case 16 -> arrays();
            case 17 -> qualified();
            case 10 -> windowed();
            case 11 -> limited();
            case 0 -> setOperation();
            case 1, 2, 3 -> grouped();
            case 5 -> ranked();
            case 4 -> "SELECT DISTINCT " + plain().substring("SELECT ".length());
            default -> plain();
        };
    }

    private String plain() {
        From from = from();
        return "SELECT " + list(1 + random.nextInt(3), from.columns()) + from.text() + where(from.columns());
    }

    private String ranked() {
        From from = from();
        Name group = any(from.columns());
        String order = from.columns().stream()
                .map(name -> name.text() + (random.nextBoolean() ? " DESC NULLS LAST" : " NULLS FIRST"))
                .collect(Collectors.joining(", "));
        String function = List.of("ROW_NUMBER()", "RANK()", "DENSE_RANK()").get(random.nextInt(3));
        List<Name> columns = from.columns();
        String selected = IntStream.range(0, columns.size())
                .mapToObj(i -> columns.get(i).text() + " AS k" + i)
                .collect(Collectors.joining(", "));
        return "SELECT * FROM (SELECT " + selected + ", " + function + " OVER (PARTITION BY " + group.text()
                + " ORDER BY " + order + ") AS r" + from.text() + where(columns) + ") AS q WHERE r <= "
                + (1 + random.nextInt(3));
    }

    private String windowed() {
        From from = from();
        List<Name> columns = from.columns();
        String order =
                columns.stream().map(name -> name.text() + " NULLS FIRST").collect(Collectors.joining(", "));
        String number = number(columns).text();
        String over = " OVER (PARTITION BY " + any(columns).text() + " ORDER BY " + order;
        String function =
                switch (random.nextInt(10)) {
                    case 9 -> "COUNT(DISTINCT " + any(columns).text() + ")" + over + " ROWS 3 PRECEDING)";
                    case 5 -> "AVG(" + number + ")" + over + " ROWS BETWEEN 3 PRECEDING AND CURRENT ROW)";
                    case 6 -> "SUM(" + number + ") FILTER (WHERE " + condition(columns, 1) + ")" + over + ")";
                    case 7 ->
                        "STRING_AGG(CAST(" + number + " AS VARCHAR), '-')" + over
                                + " ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING)";
                    case 8 -> "ROUND(STDDEV_POP(" + number + ")" + over + " ROWS 2 PRECEDING), 6)";
                    case 0 -> "SUM(" + number + ")" + over + " ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)";
                    case 1 -> "COUNT(" + number + ")" + over + ")";
                    case 2 -> "LAG(" + number + ", 2)" + over + ")";
                    case 3 -> "LEAD(" + number + ")" + over + ")";
                    default -> "MAX(" + number + ")" + over + " ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING)";
                };
        return "SELECT " + number + " AS n, " + function + " AS f" + from.text() + where(columns);
    }

    /** Several groupings at once. */
    private String sets() {
        From from = from();
        List<String> keys = IntStream.range(0, 2)
                .mapToObj(i -> any(from.columns()).text())
                .distinct()
                .toList();
        String all = String.join(", ", keys);
        String groups =
                switch (random.nextInt(3)) {
                    case 0 -> "ROLLUP (" + all + ")";
                    case 1 -> "CUBE (" + all + ")";
                    default -> "GROUPING SETS ((" + all + "), (" + keys.get(0) + "), ())";
                };
        return "SELECT " + all + ", GROUPING(" + keys.get(0) + ") AS g, " + aggregate(from.columns()) + " AS c"
                + from.text() + where(from.columns()) + " GROUP BY " + groups;
    }

    /** Frames by value, and numbers of all rows. */
    private String rolling() {
        From from = from();
        List<Name> columns = from.columns();
        String number = number(columns).text();
        String all = columns.stream().map(name -> name.text() + " NULLS FIRST").collect(Collectors.joining(", "));
        String part = random.nextBoolean() ? "PARTITION BY " + any(columns).text() + " " : "";
        String byNumber =
                " OVER (" + part + "ORDER BY " + number + (random.nextBoolean() ? " DESC NULLS LAST" : " NULLS FIRST");
        String byAll = " OVER (" + part + "ORDER BY " + all;
        String call =
                switch (random.nextInt(7)) {
                    case 0 -> "SUM(" + number + ")" + byNumber + " RANGE BETWEEN 1 PRECEDING AND CURRENT ROW)";
                    case 1 -> "COUNT(*)" + byNumber + " RANGE BETWEEN 2 PRECEDING AND 1 FOLLOWING)";
                    case 2 -> "MIN(" + number + ")" + byNumber + ")";
                    case 3 -> "NTILE(3)" + byAll + ")";
                    case 4 -> "FIRST_VALUE(" + number + ")" + byAll + " ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING)";
                    case 5 -> "LAST_VALUE(" + number + ")" + byAll + " ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING)";
                    default -> "PERCENT_RANK()" + byNumber + ")";
                };
        return "SELECT " + number + " AS n, " + call + " AS f" + from.text() + where(columns);
    }

    /** A query over queries with names. */
    private String derived() {
        Relation table = tables.get(random.nextInt(tables.size()));
        String group =
                table.columns().get(random.nextInt(table.columns().size())).name();
        From from = from();
        String join = List.of("JOIN", "LEFT JOIN", "FULL JOIN").get(random.nextInt(3));
        return "WITH q AS (SELECT " + group + " AS k, COUNT(*) AS m, MAX(n) AS x FROM " + table.name() + " GROUP BY "
                + group
                + "), r AS (SELECT " + list(1, from.columns()) + ", "
                + number(from.columns()).text() + " AS y" + from.text()
                + where(from.columns()) + ") SELECT q.k, q.m, r.x0, r.y FROM q " + join + " r ON q.x = r.y"
                + (random.nextBoolean() ? "" : " WHERE q.m > 1 OR r.y IS NULL");
    }

    /** Subqueries that give one value, of rows and of conditions. */
    private String scalars() {
        From from = from();
        Relation table = tables.get(random.nextInt(tables.size()));
        String alias = alias();
        String number = number(from.columns()).text();
        String of = " FROM " + table.name() + " AS " + alias + " WHERE " + alias + ".n = " + number;
        String value =
                switch (random.nextInt(4)) {
                    case 0 -> "(SELECT COUNT(*)" + of + ")";
                    case 1 -> "(SELECT MAX(" + alias + ".n) - 1" + of + ")";
                    case 2 -> "(SELECT SUM(" + alias + ".n) FROM " + table.name() + " AS " + alias + ")";
                    default -> "EXISTS (SELECT 1" + of + ")";
                };
        String condition =
                switch (random.nextInt(4)) {
                    case 0 -> number + " > (SELECT AVG(n) FROM " + table.name() + ")";
                    case 1 -> number + " = ANY (SELECT n FROM " + table.name() + ")";
                    case 2 -> number + " >= ALL (SELECT n FROM " + table.name() + " WHERE n IS NOT NULL)";
                    default -> condition(from.columns(), 1);
                };
        return "SELECT " + number + " AS n, " + value + " AS s" + from.text() + " WHERE " + condition;
    }

    /** A query for each row of another. */
    private String lateral() {
        From from = from();
        Relation table = tables.get(random.nextInt(tables.size()));
        String alias = alias();
        String number = number(from.columns()).text();
        String where = " FROM " + table.name() + " AS " + alias + " WHERE " + alias + ".n "
                + List.of("=", "<", ">=").get(random.nextInt(3)) + " " + number;
        String value = List.of("MAX(" + alias + ".n)", "COUNT(*)", "SUM(" + alias + ".n)")
                .get(random.nextInt(3));
        String join = random.nextBoolean() ? " CROSS JOIN LATERAL " : " LEFT JOIN LATERAL ";
        return "SELECT " + number + " AS n, q.m" + from.text() + join + "(SELECT " + value + " AS m" + where + ") AS q"
                + (join.contains("LEFT") ? " ON TRUE" : "") + where(from.columns());
    }

    /** The elements of arrays that were just made. */
    private String unnested() {
        From from = from();
        Name key = any(from.columns());
        return "SELECT g.k, u.x FROM (SELECT " + key.text() + " AS k, ARRAY_AGG("
                + any(from.columns()).text() + ") AS a" + from.text() + where(from.columns()) + " GROUP BY "
                + key.text() + ") AS g, UNNEST(g.a) AS u(x)";
    }

    private String arrays() {
        From from = from();
        Name key = any(from.columns());
        String number = number(from.columns()).text();
        String order = random.nextBoolean() ? " DESC NULLS LAST" : " NULLS FIRST";
        return "SELECT " + key.text() + " AS k, ARRAY_AGG(" + number + " ORDER BY " + number + order + ") AS a"
                + from.text() + where(from.columns()) + " GROUP BY " + key.text();
    }

    private String qualified() {
        From from = from();
        String all = from.columns().stream()
                .map(name -> name.text() + " NULLS FIRST")
                .collect(Collectors.joining(", "));
        return "SELECT " + list(2, from.columns()) + from.text() + where(from.columns())
                + " QUALIFY ROW_NUMBER() OVER (PARTITION BY "
                + any(from.columns()).text() + " ORDER BY " + all + ") "
                + List.of("= 1", "<= 2", "> 1", "BETWEEN 2 AND 3", "IN (1, 3)").get(random.nextInt(5));
    }

    private String limited() {
        From from = from();
        List<Name> columns = from.columns();
        String order = columns.stream().map(name -> name.text() + " NULLS LAST").collect(Collectors.joining(", "));
        return "SELECT " + list(2, columns) + from.text() + where(columns) + " ORDER BY " + order + " LIMIT "
                + (1 + random.nextInt(4)) + (random.nextBoolean() ? " OFFSET 1" : "");
    }

    private String setOperation() {
        Relation table = tables.get(random.nextInt(tables.size()));
        Relation.Column column =
                table.columns().get(random.nextInt(table.columns().size()));
        String operator = List.of("UNION", "UNION ALL", "EXCEPT", "EXCEPT ALL", "INTERSECT", "INTERSECT ALL")
                .get(random.nextInt(6));
        String side = "SELECT " + column.name() + " FROM " + table.name() + " AS z";
        List<Name> names = names(table, "z");
        return side + where(names) + " " + operator + " " + side + where(names);
    }

    private String grouped() {
        From from = from();
        List<String> keys = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            keys.add(any(from.columns()).text());
        }
        List<String> calls = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            calls.add(aggregate(from.columns()));
        }
        List<String> distinctKeys = keys.stream().distinct().toList();
        List<String> selected = new ArrayList<>();
        for (int i = 0; i < distinctKeys.size(); i++) {
            selected.add(distinctKeys.get(i) + " AS g" + i);
        }
        for (int i = 0; i < calls.size(); i++) {
            selected.add(calls.get(i) + " AS c" + i);
        }
        String groups = distinctKeys.isEmpty() ? "" : " GROUP BY " + String.join(", ", distinctKeys);
        String having = random.nextInt(4) == 0 ? " HAVING COUNT(*) > 1" : "";
        return "SELECT " + String.join(", ", selected) + from.text() + where(from.columns()) + groups + having;
    }

    private String aggregate(List<Name> columns) {
        Name column = any(columns);
        Name number = number(columns);
        String filter = random.nextInt(5) == 0 ? " FILTER (WHERE " + condition(columns, 1) + ")" : "";
        return switch (random.nextInt(17)) {
            case 15 -> "LOGICAL_AND(" + condition(columns, 1) + ")";
            case 16 -> "LOGICAL_OR(" + condition(columns, 1) + ")";
            case 9 ->
                List.of("BIT_AND", "BIT_OR", "BIT_XOR").get(random.nextInt(3)) + "(CAST(FLOOR(" + number.text()
                        + ") AS INTEGER))" + filter;
            case 10 -> "REGR_COUNT(" + number.text() + ", " + number(columns).text() + ")" + filter;
            case 11 ->
                "ROUND(COVAR_POP(" + number.text() + ", " + number(columns).text() + "), 6)";
            case 12 -> "MEDIAN(CAST(" + number.text() + " AS DOUBLE))" + filter;
            case 13 -> "PERCENTILE_DISC(0.25) WITHIN GROUP (ORDER BY " + number.text() + ")" + filter;
            case 14 -> "STRING_AGG(CAST(" + number.text() + " AS VARCHAR), ';' ORDER BY " + number.text() + ")";
            case 0 -> "COUNT(*)" + filter;
            case 1 -> "COUNT(" + column.text() + ")" + filter;
            case 2 -> "COUNT(DISTINCT " + column.text() + ")" + filter;
            case 3 -> "MIN(" + column.text() + ")" + filter;
            case 4 -> "MAX(" + column.text() + ")" + filter;
            case 5 -> "AVG(" + number.text() + ")" + filter;
            case 6 -> "STDDEV_POP(" + number.text() + ")" + filter;
            default -> "SUM(" + number.text() + ")" + filter;
        };
    }

    private record From(String text, List<Name> columns) {}

    private From from() {
        Relation first = tables.get(random.nextInt(tables.size()));
        String alias = alias();
        List<Name> columns = new ArrayList<>(names(first, alias));
        StringBuilder text = new StringBuilder(" FROM " + first.name() + " AS " + alias);
        for (int joins = random.nextInt(3); joins > 0; joins--) {
            Relation next = tables.get(random.nextInt(tables.size()));
            String nextAlias = alias();
            List<Name> right = names(next, nextAlias);
            String kind =
                    List.of("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN").get(random.nextInt(4));
            String equal = equality(columns, right);
            List<Name> both = new ArrayList<>(columns);
            both.addAll(right);
            // DuckDB has no full join under arbitrary conditions.
            String more = random.nextInt(4) == 0 && !kind.startsWith("FULL") ? " AND " + comparison(both) : "";
            text.append(" " + kind + " " + next.name() + " AS " + nextAlias + " ON " + equal + more);
            columns = both;
        }
        return new From(text.toString(), columns);
    }

    private String equality(List<Name> left, List<Name> right) {
        for (int tries = 0; tries < 20; tries++) {
            Name one = any(left);
            Name two = any(right);
            if (one.type().kind() == two.type().kind()) {
                return one.text() + " = " + two.text();
            }
        }
        return number(left).text() + " = " + number(right).text();
    }

    private String alias() {
        return "a" + aliases++;
    }

    private static List<Name> names(Relation table, String alias) {
        return table.columns().stream()
                .map(column -> new Name(alias + "." + column.name(), column.type()))
                .toList();
    }

    private String list(int count, List<Name> columns) {
        return IntStream.range(0, count)
                .mapToObj(i -> value(any(columns), columns) + " AS x" + i)
                .collect(Collectors.joining(", "));
    }

    private String value(Name column, List<Name> columns) {
        String text = column.text();
        if (random.nextInt(3) == 0) {
            return text;
        }
        if (random.nextInt(5) == 0) {
            return "CASE WHEN " + condition(columns, 1) + " THEN " + text + " END";
        }
        return switch (column.type().kind()) {
            case INTEGER, BIGINT, DECIMAL -> ofNumber(text, columns);
            case VARCHAR -> ofText(text);
            case DATE -> ofDate(text);
            case TIMESTAMP -> ofTimestamp(text);
            case BOOLEAN -> "NOT " + text;
            default -> text;
        };
    }

    private String ofNumber(String text, List<Name> columns) {
        String whole = "CAST(FLOOR(" + text + ") AS INTEGER)";
        return switch (random.nextInt(18)) {
            case 15 -> "RIGHTSHIFT(" + whole + ", 1)";
            case 16 -> function() + "(CAST(" + text + " AS DOUBLE))";
            case 17 -> arrays(whole);
            case 0 -> text + " + " + number(columns).text();
            case 1 -> text + " * 3 - 1";
            case 2 -> "ABS(" + text + ")";
            case 3 -> "COALESCE(" + text + ", 7)";
            case 4 -> "NULLIF(" + text + ", 1)";
            case 6 -> "SIGN(" + text + ")";
            case 7 -> text + " % 3";
            case 8 -> "FLOOR(" + text + " * 0.7)";
            case 9 -> "-" + text + " - 2.25";
            case 10 -> "CAST(" + text + " AS VARCHAR)";
            case 11 -> "COALESCE(" + text + ", 1.5)";
            case 12 -> "CASE WHEN " + condition(columns, 1) + " THEN " + text + " ELSE 0.25 END";
            case 13 -> text + " * 0.1 * " + number(columns).text();
            case 14 -> "ROUND(" + text + " * 1.25, 1)";
            default -> "CAST(" + text + " AS DECIMAL(12, 3))";
        };
    }

    /** Functions of floating point that have a value for every number. */
    private String function() {
        return List.of("ASINH", "COSH", "SECH", "SEC", "TANH", "EXP", "CBRT").get(random.nextInt(7));
    }

    private String arrays(String number) {
        String array = "ARRAY[COALESCE(" + number + ", 4), 1, 2]";
        String other = "ARRAY[2, 0, 3, 2]";
        return switch (random.nextInt(7)) {
            case 0 -> "SORT_ARRAY(ARRAY_UNION(" + array + ", " + other + "))";
            case 1 -> "SORT_ARRAY(ARRAY_INTERSECT(" + array + ", " + other + "))";
            case 2 -> "SORT_ARRAY(ARRAY_EXCEPT(" + array + ", " + other + "))";
            case 3 -> "ARRAYS_OVERLAP(" + array + ", ARRAY[4, 5])";
            case 4 -> "ARRAY_COMPACT(ARRAY[" + number + ", 1])";
            case 5 -> "ARRAY_REPEAT(" + number + ", 2)";
            default -> "SEQUENCE(0, " + number + ")";
        };
    }

    private String ofText(String text) {
        return switch (random.nextInt(19)) {
            case 17 -> "CONCAT_WS('-', " + text + ", 'x', " + text + ")";
            case 18 -> "LEN(" + text + ")";
            case 0 -> "UPPER(" + text + ")";
            case 1 -> text + " || 'é'";
            case 2 -> "SUBSTRING(" + text + ", 2, 2)";
            case 3 -> "CHAR_LENGTH(" + text + ")";
            case 4 -> "REPLACE(" + text + ", 'a', 'bb')";
            case 5 -> "TRIM(" + text + ")";
            case 6 -> "POSITION('b' IN " + text + ")";
            case 8 -> "LEFT(" + text + ", 2)";
            case 9 -> "RIGHT(" + text + ", 1)";
            case 10 -> "REVERSE(" + text + ")";
            case 11 -> "LPAD(" + text + ", 4, '*')";
            case 12 -> "REPEAT(" + text + ", 2)";
            case 13 -> "MD5(" + text + ")";
            case 14 -> "STARTS_WITH(" + text + ", 'a')";
            case 15 -> "SPLIT_PART(" + text + ", 'b', 1)";
            case 16 -> "CASE " + text + " WHEN 'a' THEN 1 WHEN 'ab' THEN 2.5 END";
            default -> "COALESCE(" + text + ", 'none')";
        };
    }

    private String ofDate(String text) {
        return switch (random.nextInt(10)) {
            case 7 -> "FORMAT_DATE('%y-%j %a %A, %d %b %B%%', " + text + ")";
            case 8 -> "PARSE_DATE('%d.%m.%Y', FORMAT_DATE('%d.%m.%Y', " + text + "))";
            case 9 -> "CAST(DATE_ADD(" + text + ", INTERVAL '2' DAY) AS DATE)";
            case 0 -> text + " + INTERVAL '1' MONTH";
            case 1 -> "EXTRACT(YEAR FROM " + text + ")";
            case 3 -> "DATE_TRUNC('month', " + text + ")";
            case 4 -> "EXTRACT(QUARTER FROM " + text + ")";
            case 5 -> text + " - INTERVAL '10' DAY";
            case 6 -> "CAST(" + text + " AS TIMESTAMP) - INTERVAL '90' SECOND";
            default -> "EXTRACT(DOY FROM " + text + ")";
        };
    }

    private String ofTimestamp(String text) {
        return switch (random.nextInt(9)) {
            case 7 -> "FORMAT_TIMESTAMP('%Y-%m-%d %I %p %H:%M:%S.%f', " + text + ")";
            case 8 -> "PARSE_TIMESTAMP('%Y%m%d %H%M', FORMAT_TIMESTAMP('%Y%m%d %H%M', " + text + "))";
            case 0 -> text + " - INTERVAL '90' MINUTE";
            case 1 -> "EXTRACT(HOUR FROM " + text + ")";
            case 2 -> "CAST(" + text + " AS DATE)";
            case 4 -> "DATE_TRUNC('hour', " + text + ")";
            case 5 -> "EXTRACT(MINUTE FROM " + text + ")";
            case 6 -> text + " + 3 * INTERVAL '1' DAY";
            default -> "EXTRACT(WEEK FROM " + text + ")";
        };
    }

    private String where(List<Name> columns) {
        return random.nextInt(3) == 0 ? "" : " WHERE " + condition(columns, 2);
    }

    private String condition(List<Name> columns, int depth) {
        if (depth == 0) {
            return comparison(columns);
        }
        return switch (random.nextInt(8)) {
            case 0, 1 -> "(" + condition(columns, depth - 1) + " AND " + condition(columns, depth - 1) + ")";
            case 2 -> "(" + condition(columns, depth - 1) + " OR " + condition(columns, depth - 1) + ")";
            case 3 -> "NOT (" + condition(columns, depth - 1) + ")";
            case 4 -> depth > 1 ? subquery(columns) : comparison(columns);
            default -> comparison(columns);
        };
    }

    private String subquery(List<Name> columns) {
        Relation table = tables.get(random.nextInt(tables.size()));
        String alias = alias();
        List<Name> inner = names(table, alias);
        Name outer = any(columns);
        List<Name> same = inner.stream()
                .filter(name -> name.type().kind() == outer.type().kind())
                .toList();
        Name match = same.isEmpty() ? number(inner) : any(same);
        Name out = same.isEmpty() ? number(columns) : outer;
        String from = " FROM " + table.name() + " AS " + alias;
        return switch (random.nextInt(4)) {
            case 0 -> out.text() + " IN (SELECT " + match.text() + from + ")";
            case 1 -> out.text() + " NOT IN (SELECT " + match.text() + from + ")";
            case 2 -> "EXISTS (SELECT 1" + from + " WHERE " + match.text() + " = " + out.text() + ")";
            default -> "NOT EXISTS (SELECT 1" + from + " WHERE " + match.text() + " = " + out.text() + ")";
        };
    }

    private String comparison(List<Name> columns) {
        Name column = any(columns);
        String text = column.text();
        String operator = List.of("=", "<>", "<", ">", "<=", ">=").get(random.nextInt(6));
        return switch (column.type().kind()) {
            case INTEGER, BIGINT, DECIMAL ->
                switch (random.nextInt(5)) {
                    case 0 -> text + " IN (0, 1, 2, 5)";
                    case 1 -> text + " BETWEEN 0 AND 2";
                    case 2 -> text + " IS NULL";
                    case 3 -> text + " " + operator + " " + number(columns).text();
                    default -> text + " " + operator + " " + random.nextInt(4);
                };
            case VARCHAR ->
                switch (random.nextInt(4)) {
                    case 0 -> text + " LIKE 'a%'";
                    case 1 -> text + " LIKE '%_b'";
                    case 2 -> text + " IS NOT NULL";
                    default -> text + " " + operator + " 'ab'";
                };
            case DATE -> text + " " + operator + " DATE '2024-02-29'";
            case TIMESTAMP -> text + " " + operator + " TIMESTAMP '2024-02-29 12:00:00'";
            case BOOLEAN ->
                List.of(text, text + " IS TRUE", text + " IS NOT FALSE").get(random.nextInt(3));
            default -> text + " IS NOT NULL";
        };
    }

    private Name any(List<Name> names) {
        return names.get(random.nextInt(names.size()));
    }

    /** Every table has one. */
    private Name number(List<Name> names) {
        List<Name> numbers = names.stream()
                .filter(name -> name.type().kind() == TypeKind.INTEGER
                        || name.type().kind() == TypeKind.BIGINT
                        || name.type().kind() == TypeKind.DECIMAL)
                .toList();
        return any(numbers);
    }
}
