/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What random queries are made of: tables with aliases, values and conditions over their columns. */
class RandomTerms {

    /** A column that a query can name. */
    record Name(String text, ColumnType type) {}

    record From(String text, List<Name> columns) {}

    final SplittableRandom random;
    private final List<Relation> tables;
    private int aliases;

    RandomTerms(long seed, List<Relation> tables) {
        this.random = new SplittableRandom(seed);
        this.tables = tables;
    }

    Relation table() {
        return tables.get(random.nextInt(tables.size()));
    }

    From from() {
        Relation first = table();
        String alias = alias();
        List<Name> columns = new ArrayList<>(names(first, alias));
        StringBuilder text = new StringBuilder(" FROM " + first.name() + " AS " + alias);
        for (int joins = random.nextInt(3); joins > 0; joins--) {
            Relation next = table();
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

    String equality(List<Name> left, List<Name> right) {
        for (int tries = 0; tries < 20; tries++) {
            Name one = any(left);
            Name two = any(right);
            if (one.type().kind() == two.type().kind()) {
                return one.text() + " = " + two.text();
            }
        }
        return number(left).text() + " = " + number(right).text();
    }

    String alias() {
        return "a" + aliases++;
    }

    static List<Name> names(Relation table, String alias) {
        return table.columns().stream()
                .map(column -> new Name(alias + "." + column.name(), column.type()))
                .toList();
    }

    String list(int count, List<Name> columns) {
        return IntStream.range(0, count)
                .mapToObj(i -> value(any(columns), columns) + " AS x" + i)
                .collect(Collectors.joining(", "));
    }

    String value(Name column, List<Name> columns) {
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
        return switch (random.nextInt(21)) {
            case 18 -> "GREATEST_IGNORE_NULLS(" + text + ", " + number(columns).text() + ", 1)";
            case 19 ->
                "LEAST_IGNORE_NULLS(NULL, " + text + ", " + number(columns).text() + ")";
            case 20 -> "BROUND(" + text + " * 1.25, 1)";
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
        return switch (random.nextInt(11)) {
            case 7 -> "ARRAY_INSERT(" + other + ", 3, " + number + ")";
            case 8 -> "ARRAY_APPEND(" + other + ", " + number + ")";
            case 9 -> "ARRAY_PREPEND(" + other + ", " + number + ")";
            case 10 -> "ARRAY_POSITION(" + other + ", " + number + ")";
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
        return switch (random.nextInt(20)) {
            case 19 -> "LOCATE('b', " + text + ")";
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
        return switch (random.nextInt(12)) {
            case 10 -> "TO_DATE(DATE_FORMAT(" + text + ", 'yyyy/MM/dd'), 'yyyy/MM/dd')";
            case 11 -> "TO_DATE(DATE_FORMAT(" + text + ", 'yyyy-dd'), 'yyyy-MM')";
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
        return switch (random.nextInt(10)) {
            case 9 -> "DATE_FORMAT(" + text + ", 'dd.MM.yyyy HH:mm:ss')";
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

    String where(List<Name> columns) {
        return random.nextInt(3) == 0 ? "" : " WHERE " + condition(columns, 2);
    }

    String condition(List<Name> columns, int depth) {
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
        Relation table = table();
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

    String comparison(List<Name> columns) {
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

    Name any(List<Name> names) {
        return names.get(random.nextInt(names.size()));
    }

    /** Every table has one. */
    Name number(List<Name> names) {
        List<Name> numbers = names.stream()
                .filter(name -> name.type().kind() == TypeKind.INTEGER
                        || name.type().kind() == TypeKind.BIGINT
                        || name.type().kind() == TypeKind.DECIMAL)
                .toList();
        return any(numbers);
    }
}
