/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.sample.Samples;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions of arrays and of an expression of their items answer what DuckDB does for the same expressions. */
class ItemFunctionsTest {

    private static final String TABLE =
            "CREATE TABLE t (n INTEGER, k VARCHAR, price DECIMAL(8, 2), dt DATE, b VARBINARY);\n";

    /** DuckDB writes {@code lambda x: …}, and knows no OR over a list that tells NULL from FALSE. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "TRANSFORM(ARRAY[n, 3, NULL], x -> x * 2 + 1) | list_transform([n, 3, NULL], lambda x: x * 2 + 1)",
                "TRANSFORM(ARRAY[k, 'a'], x -> REPEAT(x, 2)) | list_transform([k, 'a'], lambda x: repeat(x, 2))",
                "TRANSFORM(ARRAY[price, 1.5], x -> x > 2) | list_transform([price, 1.5], lambda x: x > 2)",
                "TRANSFORM(ARRAY[dt], x -> EXTRACT(DAY FROM x)) | list_transform([dt], lambda x: day(x))",
                "TRANSFORM(ARRAY[n, 1], x -> CASE WHEN x > 2 THEN 0.5 ELSE x END)"
                        + "| list_transform([n, 1], lambda x: CASE WHEN x > 2 THEN 0.5 ELSE x END)",
                "TRANSFORM(ARRAY[ARRAY[n], ARRAY[2, n]], x -> CARDINALITY(TRANSFORM(x, x -> x + 1)) + x[1])"
                        + "| list_transform([[n], [2, n]], lambda x: len(x) + x[1])",
                "TRANSFORM(TRANSFORM(ARRAY[n, 2], x -> x + 1), y -> y * y)"
                        + "| list_transform([n, 2], lambda x: (x + 1) * (x + 1))",
                "TRANSFORM(ARRAY[1, NULL], x -> x + n) | list_transform([1, NULL], lambda x: x + n)",
                "TRANSFORM(ARRAY[n, 2], x -> REPEAT(k, x + t.n))| list_transform([n, 2], lambda x: repeat(k, x + n))",
                "TRANSFORM(ARRAY[ARRAY[n], ARRAY[2, n]], x -> TRANSFORM(x, y -> y + n * 10 + CARDINALITY(x)))"
                        + "| list_transform([[n], [2, n]], lambda x: list_transform(x, lambda y: y + n * 10 + len(x)))",
                "TRANSFORM(ARRAY[1, 2], ~$0~ -> ~$0~ + n) | [1 + n, 2 + n]",
                "TRANSFORM(ARRAY[ARRAY[n]], ~$~ -> TRANSFORM(~$~, ~$$~ -> ~$$~ + n + CARDINALITY(~$~))) | [[n+n+1]]",
                "TRANSFORM(ARRAY[1, 2], n -> n + 1) | [2, 3]",
                "TRANSFORM(ARRAY[1, 2], x -> CARDINALITY(TRANSFORM(ARRAY[n, x], n -> n + x))) | [2, 2]",
                "ARRAY_EXISTS(ARRAY[2, 3], x -> x = n) | 2 = n OR 3 = n",
                "ARRAY_EXISTS(ARRAY[ARRAY[n, 1]], x -> ARRAY_EXISTS(x, y -> y = x[2] AND n = 1)) | n = 1",
                "ARRAY_EXISTS(ARRAY[n, 3], x -> x > 3) | n > 3 OR 3 > 3",
                "ARRAY_EXISTS(ARRAY[k], x -> x IS NULL) | k IS NULL",
                "ARRAY_EXISTS(ARRAY[ARRAY[n], ARRAY[1]], x -> ARRAY_EXISTS(x, y -> y > 3)) | n > 3 OR 1 > 3",
                "ARRAY_CONTAINS(ARRAY[b, X'01'], X'02') | list_contains([b, '\\x01'::BLOB], '\\x02'::BLOB)",
                "ARRAY_POSITION(ARRAY[X'01', b], b) | CASE WHEN b = '\\x01'::BLOB THEN 1 WHEN b IS NOT NULL THEN 2 END",
                "CARDINALITY(ARRAY_REMOVE(ARRAY[X'01', b], X'01')) | CASE WHEN b = '\\x01'::BLOB THEN 0 ELSE 1 END",
                "ARRAY_CONTAINS(ARRAY[ARRAY[b]], ARRAY[X'01']) | b IS NOT NULL AND b = '\\x01'::BLOB",
                "MAP[X'01', n, X'02', 3][X'01'] | n",
                "ARRAY_INSERT(ARRAY[n, 1], -2, 7) | [n, 7, 1]",
                "ARRAY_INSERT(ARRAY[n, 1], 5, n) | [n, 1, NULL, NULL, n]",
                "ARRAY_INSERT(ARRAY[n, 1], -5, n) | [n, NULL, NULL, n, 1]"
            })
    void areWhatDuckDbAnswers(String ours, String theirs) throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        String where = " AS x FROM t WHERE n IS NULL OR n <> 4";
        try (DuckTables duck = new DuckTables();
                ViewContents view = new ViewContents(
                        TABLE + "CREATE VIEW v AS SELECT " + ours.replace('~', '"') + where + ";",
                        Samples.threads(1))) {
            Relation table = view.program().tables().get(0);
            duck.create(table);
            for (int i = 0; i < 30; i++) {
                List<@Nullable Object> row = row(random);
                duck.change(table, row, 1);
                view.change(table, row, 1);
            }
            view.step();
            assertThat(view.content("v")).as(ours).isEqualTo(duck.query("SELECT " + theirs + where));
        }
    }

    private static List<@Nullable Object> row(SplittableRandom random) {
        List<@Nullable Object> row = new ArrayList<>(List.of(
                (long) random.nextInt(6),
                random.nextBoolean() ? "a" : "b",
                BigDecimal.valueOf(random.nextInt(9) * 50L, 2),
                LocalDate.of(2024, 2, 27).plusDays(random.nextInt(4)),
                new byte[] {(byte) random.nextInt(3)}));
        row.set(random.nextInt(5), null);
        return row;
    }
}
