/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Queries that DuckDB and we must answer alike, grown from a grammar; everything follows from the seed. */
public final class RandomQueries extends RandomTerms {

    public RandomQueries(long seed, List<Relation> tables) {
        super(seed, tables);
    }

    /** The next one. */
    public String query() {
        return switch (random.nextInt(32)) {
            case 30 -> terms();
            case 31 -> usingAll();
            case 20 -> correlated();
            case 21 -> windowsOfGroups();
            case 22 -> distinctSets();
            case 23 -> ranges();
            case 24 -> using();
            case 25 -> nestedSets();
            case 26 -> recursive();
            case 27 -> limitedInside();
            case 28 -> navigated();
            case 29 -> ordinals();
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
        Relation table = table();
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
        Relation table = table();
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
        Relation table = table();
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
        Relation table = table();
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

    /** Subqueries that read the row around them, as values and in conditions, with NULLs on both sides. */
    private String correlated() {
        From from = from();
        Relation table = table();
        String alias = alias();
        List<Name> inner = names(table, alias);
        String of = " FROM " + table.name() + " AS " + alias + " WHERE " + equality(inner, from.columns())
                + (random.nextBoolean() ? " AND " + condition(inner, 1) : "");
        String number = number(from.columns()).text();
        String value =
                switch (random.nextInt(4)) {
                    case 0 -> "(SELECT " + aggregateOf(inner) + of + ")";
                    case 1 -> "COALESCE((SELECT MIN(" + number(inner).text() + ")" + of + "), -1)";
                    case 2 -> number + " IN (SELECT " + number(inner).text() + of + ")";
                    default -> number + " NOT IN (SELECT " + number(inner).text() + of + ")";
                };
        String condition =
                switch (random.nextInt(5)) {
                    case 0 -> number + " NOT IN (SELECT " + number(inner).text() + of + ")";
                    case 1 -> number + " > ALL (SELECT " + number(inner).text() + of + ")";
                    case 2 -> number + " <= ANY (SELECT " + number(inner).text() + of + ")";
                    case 3 -> "EXISTS (SELECT 1" + of + ") OR " + condition(from.columns(), 1);
                    default -> number + " = (SELECT MAX(" + number(inner).text() + ")" + of + ")";
                };
        return "SELECT " + any(from.columns()).text() + " AS k, " + value + " AS s" + from.text() + " WHERE "
                + condition;
    }

    private String aggregateOf(List<Name> columns) {
        return List.of(
                        "COUNT(*)",
                        "SUM(" + number(columns).text() + ")",
                        "COUNT(DISTINCT " + any(columns).text() + ")")
                .get(random.nextInt(3));
    }

    /** Windows over groups and their aggregates. */
    private String windowsOfGroups() {
        From from = from();
        String key = any(from.columns()).text();
        String number = number(from.columns()).text();
        String over = " OVER (ORDER BY " + key + " NULLS FIRST";
        String call =
                switch (random.nextInt(4)) {
                    case 0 -> "SUM(SUM(" + number + "))" + over + ")";
                    case 1 -> "RANK() OVER (ORDER BY COUNT(*) DESC)";
                    case 2 -> "LAG(MAX(" + number + "))" + over + ")";
                    default -> "COUNT(*) - SUM(COUNT(*)) OVER ()";
                };
        return "SELECT " + key + " AS k, COUNT(*) AS c, " + call + " AS w" + from.text() + where(from.columns())
                + " GROUP BY " + key;
    }

    /** Several groupings at once, of distinct values and of some rows. */
    private String distinctSets() {
        From from = from();
        List<Name> columns = from.columns();
        String one = any(columns).text();
        String two = any(columns).text();
        String keys = one.equals(two) ? "(" + one + "), ()" : "(" + one + "), (" + two + ")";
        String selected = one.equals(two) ? one + " AS k" : one + " AS k, " + two + " AS l";
        return "SELECT " + selected + ", COUNT(DISTINCT " + any(columns).text() + ") FILTER (WHERE "
                + condition(columns, 1) + ") AS d, SUM(DISTINCT "
                + number(columns).text() + ") AS s, COUNT(*) AS c"
                + from.text() + where(columns) + " GROUP BY GROUPING SETS (" + keys + ") HAVING COUNT(*) > 0";
    }

    /** Joins by ranges alone. */
    private String ranges() {
        Relation left = table();
        Relation right = table();
        String one = alias();
        String two = alias();
        String number = number(names(left, one)).text();
        String other = number(names(right, two)).text();
        List<Name> both = new ArrayList<>(names(left, one));
        both.addAll(names(right, two));
        String join = List.of("JOIN", "LEFT JOIN", "RIGHT JOIN").get(random.nextInt(3));
        return "SELECT " + number + " AS x, " + other + " AS y, " + list(1, both) + " FROM " + left.name() + " AS "
                + one + " " + join + " " + right.name() + " AS " + two + " ON " + other + " > " + number + " AND "
                + other + " <= " + number + " + 2";
    }

    private String using() {
        Relation left = table();
        Relation right = table();
        String one = alias();
        String two = alias();
        String join = List.of("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN").get(random.nextInt(4));
        return "SELECT n, " + any(names(left, one)).text() + " AS x, "
                + any(names(right, two)).text() + " AS y FROM "
                + left.name() + " AS " + one + " " + join + " " + right.name() + " AS " + two + " USING (n)"
                + (random.nextBoolean() ? " WHERE n > 0 OR n IS NULL" : "");
    }

    /** Columns of more than two tables by their name alone, or all. */
    private String usingAll() {
        StringBuilder from = new StringBuilder();
        List<Name> columns = new ArrayList<>();
        for (int i = 0; i < 3 + random.nextInt(2); i++) {
            Relation next = table();
            String alias = alias();
            columns.addAll(names(next, alias));
            String join =
                    List.of("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN").get(random.nextInt(4));
            from.append(i == 0 ? " FROM " : " " + join + " ").append(next.name() + " AS " + alias);
            from.append(i == 0 ? "" : random.nextInt(3) == 0 ? " USING (N)" : " USING (n)");
        }
        return switch (random.nextInt(4)) {
            case 0 -> "SELECT n, COUNT(*) AS c" + from + " GROUP BY n HAVING n > 0 OR n IS NULL";
            case 1 -> "SELECT N, RANK() OVER (ORDER BY n NULLS FIRST) AS r" + from;
            case 2 -> "SELECT n % 2 AS p, " + any(columns).text() + " AS x" + from + " WHERE n > 0 OR n IS NULL";
            default -> "SELECT n, " + any(columns).text() + " AS x" + from;
        };
    }

    /** Groups by what is computed, of what is computed. */
    private String terms() {
        From from = from();
        List<Name> columns = from.columns();
        String key = value(any(columns), columns);
        String number = number(columns).text();
        return "SELECT " + key + " AS k, SUM(CASE WHEN " + condition(columns, 1) + " THEN " + number
                + " ELSE 1 END) AS s, COUNT(DISTINCT " + value(any(columns), columns) + ") AS d, MIN("
                + value(any(columns), columns) + ") AS m" + from.text() + where(columns) + " GROUP BY " + key;
    }

    /** What reads a view of several, each of any columns. */
    String ofViews(List<String> views) {
        String view = views.get(random.nextInt(views.size()));
        String other = views.get(random.nextInt(views.size()));
        return switch (random.nextInt(4)) {
            case 0 -> "SELECT * FROM " + view + " UNION ALL SELECT * FROM " + view;
            case 1 -> "SELECT * FROM " + view + " WHERE (SELECT COUNT(*) FROM " + other + ") > 2";
            case 2 -> "SELECT COUNT(*) AS n, (SELECT COUNT(*) FROM " + other + ") AS m FROM " + view;
            default -> "SELECT * FROM " + view + " CROSS JOIN (SELECT COUNT(*) AS many FROM " + other + ") AS c";
        };
    }

    private String nestedSets() {
        List<String> operators = List.of("UNION", "UNION ALL", "EXCEPT", "EXCEPT ALL", "INTERSECT", "INTERSECT ALL");
        String first = operators.get(random.nextInt(6));
        String second = operators.get(random.nextInt(6));
        String sides = side() + " " + first + " " + side();
        return random.nextBoolean()
                ? "(" + sides + ") " + second + " " + side()
                : side() + " " + second + " (" + sides + ")";
    }

    private String side() {
        Relation table = table();
        String alias = alias();
        List<Name> columns = names(table, alias);
        return "SELECT " + alias + ".n AS k, " + alias + ".n IS NULL OR " + comparison(columns) + " AS l FROM "
                + table.name() + " AS " + alias + where(columns);
    }

    /** What follows from rows, and aggregates of it. */
    private String recursive() {
        Relation table = table();
        Relation next = table();
        String alias = alias();
        String step = random.nextBoolean()
                ? "SELECT r.k + 1 FROM r JOIN " + next.name() + " AS " + alias + " ON " + alias + ".n = r.k"
                : "SELECT " + alias + ".n - 1 FROM r, " + next.name() + " AS " + alias + " WHERE " + alias + ".n > r.k";
        return "WITH RECURSIVE r(k) AS (SELECT n FROM " + table.name() + " UNION " + step
                + ") SELECT r.k % 2 AS p, COUNT(*) AS c, SUM(r.k) AS s FROM r GROUP BY r.k % 2";
    }

    /** The first rows of all, joined. */
    private String limitedInside() {
        Relation table = table();
        String alias = alias();
        String all = names(table, alias).stream()
                .map(name -> name.text() + " DESC NULLS LAST")
                .collect(Collectors.joining(", "));
        From from = from();
        return "SELECT q.n AS n, o.x AS x FROM (SELECT * FROM " + table.name() + " AS " + alias + " ORDER BY " + all
                + " LIMIT " + (1 + random.nextInt(3)) + ") AS q LEFT JOIN (SELECT "
                + number(from.columns()).text()
                + " AS j, " + any(from.columns()).text() + " AS x" + from.text() + where(from.columns())
                + ") AS o ON o.j = q.n";
    }

    /** Windows that look at rows by their places, and to the end. */
    private String navigated() {
        From from = from();
        List<Name> columns = from.columns();
        String number = number(columns).text();
        String all = columns.stream().map(name -> name.text() + " NULLS FIRST").collect(Collectors.joining(", "));
        String over = " OVER (PARTITION BY " + any(columns).text() + " ORDER BY " + all;
        String call =
                switch (random.nextInt(7)) {
                    case 0 -> "LAG(" + number + ", 1, 0)" + over + ")";
                    case 1 -> "CUME_DIST()" + over + ")";
                    case 2 -> "NTH_VALUE(" + number + ", 2)" + over + " ROWS BETWEEN 1 PRECEDING AND 2 FOLLOWING)";
                    case 3 -> "SUM(" + number + ")" + over + " ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)";
                    case 4 -> "MIN(" + number + ")" + over + " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)";
                    case 5 -> "COUNT(*) FILTER (WHERE " + condition(columns, 1) + ")" + over + " ROWS 1 PRECEDING)";
                    default ->
                        "LAST_VALUE(" + number + ")" + over
                                + " ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)";
                };
        return "SELECT " + number + " AS n, " + call + " AS f" + from.text() + where(columns);
    }

    /** The elements of lists with their places. */
    private String ordinals() {
        From from = from();
        Name key = any(from.columns());
        String number = number(from.columns()).text();
        return "SELECT g.k, u.x, u.o FROM (SELECT " + key.text() + " AS k, ARRAY_AGG(" + number + " ORDER BY " + number
                + " NULLS FIRST) AS a" + from.text() + where(from.columns()) + " GROUP BY " + key.text()
                + ") AS g, UNNEST(g.a) WITH ORDINALITY AS u(x, o)";
    }
}
