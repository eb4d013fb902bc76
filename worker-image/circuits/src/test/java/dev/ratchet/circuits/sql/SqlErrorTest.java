/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a program is said with its place in the whole text. */
class SqlErrorTest {

    private static final String TABLE = "CREATE TABLE t (a INT, b VARCHAR, ts TIMESTAMP);\n";
    private static final String DECLARE = "DECLARE RECURSIVE VIEW v (a INT)";
    private static final String CREATE = "CREATE VIEW v AS ";

    /** {@code V} begins a statement that creates the view v, {@code D} is the one that declares it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "V SELECT c FROM t | line 2, column 25: Column 'c' not found in any table; t has a, b, ts",
                "V SELECT a FROM | line 2, column",
                "V SELECT a FROM u | line 2, column 32: Object 'u' not found; there are t",
                "V SELECT u.a FROM t | line 2, column 25: Table 'u' not found; a table or view is read under FROM",
                "V SELECT x.c FROM t AS x | column 27: Column 'c' not found in table 'x'; t has a, b, ts",
                "V SELECT a, SOUNDEX(b) FROM t | line 2, column 28: No match found for function signature",
                "V SELECT a, SOUNDEX(b) FROM t | docs/functions.md lists the functions, and CREATE FUNCTION",
                "V SELECT a FROM t WHERE ts > TIMESTAMP '2024-01-01 00:00:00.1234567' | line 2, column 45: TIMESTAMP",
                "V SELECT ts + INTERVAL '0.0005' SECOND FROM t | line 2, column 30: INTERVAL constants have up to 3",
                "CREATE TABLE u (a TIMESTAMP LATENESS INTERVAL '0.0001' SECOND) | line 2, column 38: INTERVAL",
                "V SELECT INSTR(b, 'x', 2, 3) FROM t | line 2, column 18: POSITION can not be given 4 arguments",
                "V SELECT CURRENT_TIMESTAMP AS x FROM t | line 2, column 25: CURRENT_TIMESTAMP is",
                "V SELECT order FROM t | line 2, column 25: Encountered ~order FROM~; if order is meant",
                "V SELECT a AS select FROM t | line 2, column 27: Incorrect syntax near the keyword 'AS'; a",
                "V SELECT ts - TIME '10:00:00' FROM t | cast both to TIMESTAMP",
                "V SELECT x.a FROM t AS x JOIN t AS y USING (a) JOIN t AS z ON a = 1 | is ambiguous; name its table",
                "V SELECT *, COUNT(*) FROM t GROUP BY ALL | line 2, column 25: GROUP BY ALL beside *; name",
                "V SELECT ARRAY(SELECT a, b FROM t) AS x FROM t | line 2, column 25: ARRAY(query) needs a SELECT",
                "V SELECT EXTRACT(HOUR FROM DATE '2024-01-01') FROM t | line 2, column 25: EXTRACT finds no",
                "V SELECT DATE_TRUNC(b, ts) FROM t | line 2, column 25: DATE_TRUNC needs a constant unit",
                "V SELECT COUNT(*) FROM t GROUP BY HOP(ts, INTERVAL '1' DAY, INTERVAL '2' DAY) | TABLE(HOP",
                "V WITH RECURSIVE r AS (SELECT a FROM t UNION ALL SELECT a FROM r) SELECT * FROM r | UNION ALL",
                "D; V SELECT a FROM t EXCEPT SELECT a FROM v | column 52: EXCEPT",
                "D; V SELECT CAST(COUNT(*) AS INT) FROM v | column 64: COUNT",
                "D; V SELECT t.a FROM t LEFT JOIN v ON t.a = v.a | An outer join",
                "D; V SELECT MAX(a) FROM v | column 59: MAX without GROUP BY",
                "V SELECT ARRAY_AGG(DISTINCT a) OVER (PARTITION BY b) AS n FROM t | column 25: ARRAY_AGG DISTINCT in a",
                "V SELECT COUNT(*) OVER (ORDER BY ts RANGE INTERVAL '1' MONTH PRECEDING) AS n FROM t | A RANGE of",
                "V SELECT (SELECT ARRAY_AGG(a ORDER BY ts) FROM t AS x WHERE x.b = t.b) AS l FROM t | group by what it",
                "V SELECT r FROM t, LATERAL (SELECT RANK() OVER (ORDER BY a) r FROM t x WHERE x.b = t.b) | partition",
                "V SELECT (SELECT COUNT(*) FROM t x FULL JOIN (SELECT * FROM t y WHERE y.a = t.a) z ON x.b = z.b) n"
                        + " FROM t | a FULL JOIN in a subquery, of rows",
                "V SELECT JSON_VALUE(a, '$.x') AS x FROM t | line 2, column 25: JSON_VALUE can not be given INTEGER",
                "V SELECT LPAD(b, 'x') AS x FROM t | line 2, column 25: LPAD can not be given",
                "V SELECT a, CAST(a AS DECIMAL(39, 2)) AS x FROM t | line 2, column 38: DECIMAL(39, 2); a DECIMAL has",
                "CREATE TABLE u (a MAP<INT, DECIMAL(2, 3)>) | line 2, column 19: DECIMAL(2, 3); a DECIMAL has up to",
                "EXPLAIN SELECT c FROM t | line 2, column 16: Column 'c' not found",
                "CREATE VIEW t AS SELECT 1 AS x | line 2, column 13: There is a table or view t already",
                "CREATE TABLE u (a INT, A INT) | line 2, column 24: A second column A",
                "CREATE TABLE u (a MONEY) | line 2, column 19: 'MONEY' is not a type",
                "CREATE TABLE u (a INT LATENESS INTERVAL '1' DAY) | line 2, column 32: LATENESS of a INTEGER column",
                "CREATE TABLE u (a INT, PRIMARY KEY (b)) | line 2, column 37: There is no column b",
                "CREATE TABLE u (a INT | line 2, column 22: Found end of the program",
                "SELECT a FROM t | line 2, column 1: Found 'SELECT', expected CREATE TABLE",
                "V SELECT 'x FROM t | line 2, column 25: A string that does not end",
                "D | line 2, column 24: The view v is declared and",
                "CREATE TABLE u (ts TIMESTAMP, WATERMARK FOR ts AS ts) | column 31: Found 'WATERMARK', expected a",
                "CREATE TABLE u (a INT, PRIMARY KEY (a) NOT ENFORCED) | column 40: Found 'NOT', expected ')'; a key is",
                "V SELECT a FROM t WHERE ts > NOW() | line 2, column 45: No match found for function signature NOW();",
                "V SELECT a FROM t WHERE a = DATE '2024-01-01' | cast one to the type of the other",
                "V SELECT a, b FROM t GROUP BY a | line 2, column 28: Expression 'b' is not being grouped; group by it",
                "V SELECT CAST(ts AS DATE) + 5 AS d FROM t | add an interval, such as INTERVAL '5' DAY",
                "V SELECT x.a FROM t x JOIN t FOR SYSTEM_TIME AS OF x.ts ON x.a = t.a | ASOF JOIN … MATCH_CONDITION",
                "V SELECT a FROM t WHERE ROW_NUMBER() OVER (ORDER BY a) < 3 | write QUALIFY",
                "V SELECT t.a FROM t LEFT JOIN t u ON EXISTS (SELECT 1 FROM t x WHERE x.a = t.a AND x.b = u.b)"
                        + " | a subquery under ON of an outer join that reads both of its sides; ask it under WHERE",
                "V SELECT a FROM t TABLESAMPLE BERNOULLI(10) | TABLESAMPLE is not the same twice",
                "V SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ts MEASURES A.a AS x PATTERN (A B) DEFINE B AS B.a > A.a)"
                        + " | MATCH_RECOGNIZE has no operator; compare with LAG or LEAD",
                "CREATE FUNCTION f() RETURNS INT AS 'dev.ratchet.circuits.sample.UserCode$Hidden.same' | is not public",
                "CREATE FUNCTION f(x INT) RETURNS INT AS 'no.Such.f' | line 2, column 17: There is no class"
            })
    void namesLineAndColumn(String statement, String message) {
        assertRefused(statement, message);
    }

    private static void assertRefused(String statement, String message) {
        String whole = statement.replaceFirst("^D\\b", DECLARE).replaceFirst("(^|; )V ", "$1" + CREATE);
        assertThatThrownBy(() -> SqlProgram.compile(TABLE + whole))
                .isInstanceOf(SqlException.class)
                .hasMessageContaining(message.replace('~', '"'));
    }

    /** What other databases have in their statements, and what is read too early or misspelt. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "DECLARE RECURSIVE VIEW v (h INT NOT NULL, b VARCHAR); V SELECT a, b FROM t"
                        + " | line 2, column 72: Column h of view v is declared NOT NULL, but its query may give NULL",
                "DECLARE RECURSIVE VIEW v (h INT NOT NUL) | line 2, column 37: Found 'NUL', expected NULL",
                "CREATE OR REPLACE VIEW v AS SELECT a FROM t | line 2, column 8: Found 'OR', expected TABLE, VIEW or",
                "CREATE TABLE IF NOT EXISTS u (a INT) | line 2, column 14: Found 'IF', expected a table's name; every",
                "CREATE VIEW IF NOT EXISTS v AS SELECT a FROM t | leave IF NOT EXISTS out",
                "CREATE VIEW v WITH ('key' = 'a, c') AS SELECT a, b FROM t | line 2, column 29: Option 'key': there is"
                        + " no column 'c'; the columns are [a, b]",
                "CREATE VIEW v (x) WITH ('key' = 'a') AS SELECT a FROM t | column 33: Option 'key': there is no column",
                "CREATE VIEW v WITH ('key' = 'a, A') AS SELECT a FROM t | column 29: Option 'key': column A is there",
                "CREATE VIEW v WITH ('key' = ' ') AS SELECT a FROM t | column 29: Option 'key': it names no column",
                "CREATE VIEW v WITH ('keys' = 'a') AS SELECT a FROM t | line 2, column 21: A view has no option 'keys'",
                "CREATE VIEW v WITH ('key' = 'a', 'b' = 'c') AS SELECT a FROM t | column 32: Found ',', expected ')'",
                "CREATE LOCAL VIEW v WITH ('key' = 'a') AS SELECT a FROM t | column 35: Option 'key' of a LOCAL view",
                "DROP TABLE t | line 2, column 1: Found 'DROP', expected CREATE TABLE, CREATE VIEW, CREATE FUNCTION,",
                "ALTER TABLE t | so change the statement that creates it",
                "CREATE TABLE u (a INT, FOREIGN KEY (a) REFERENCES t (a)) | line 2, column 24: Found 'FOREIGN', expec",
                "CREATE TABLE u (a INT, CONSTRAINT k UNIQUE (a)) | column 24: Found 'CONSTRAINT', expected a column;",
                "CREATE TABLE u (a STRING) | line 2, column 19: 'STRING' is not a type; write VARCHAR",
                "CREATE TABLE u (a VARIANT) | JSON is text here, which JSON_VALUE reads",
                "V SELECT NULL WHERE FALSE | column 30: Incorrect syntax near the keyword 'WHERE'; it stands once",
                "V SELECT 1 AS x WHERE 1 = 1 | FROM (VALUES (0)) AS one (x)",
                "V SELECT t.a FROM t LEFT JOIN t u ON t.a + u.a IN (SELECT b FROM t) | under WHERE of an inner join",
                "V SELECT * FROM t NATURAL FULL JOIN t u NATURAL JOIN t w | say the columns by USING or ON",
                "V SELECT * FROM t FULL JOIN t u USING (a) JOIN t w USING (a) | line 2, column 25: * over a join USING",
                "V SELECT w.a FROM t RIGHT JOIN t u USING (b) JOIN t w USING (a, b) | column 77: USING columns of",
                "V SELECT a FROM t UNION SELECT a, b FROM t | line 2, column 47: Column count mismatch in UNION; sel",
                "V SELECT a FROM t UNION SELECT a + 1 FROM v | column 58: Object 'v' not found yet; create",
                "V SELECT a FROM w; CREATE VIEW W AS SELECT a FROM t | line 2, column 32: Object 'w' not found yet;",
                "V SELEC a FROM t | line 2, column 18: Non-query expression encountered in illegal context; a query",
                "V SELECT a FROM t WHERE (a, b) NOT IN (SELECT a FROM t) | must have compatible types; select as many",
                "V SELECT ARRAY[a, b] AS x FROM t | line 2, column 25: Parameters must be of the same type; cast them"
            })
    void saysWhatToWriteInsteadOfStatements(String statement, String message) {
        assertRefused(statement, message);
    }

    /** What other databases have under another name, or only for constants. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '&',
            quoteCharacter = '^',
            value = {
                "a | 4 & line 2, column 27: Encountered ~|~; the bits of either are BITOR(a, b)",
                "a >> 4 & line 2, column 27: Encountered ~> >~; bits are shifted by RIGHTSHIFT(a, n)",
                "PARSE_JSON(b) & column 25: No match found for function signature PARSE_JSON(<CHARACTER>); JSON",
                "FORMAT_DATE('%H', DATE '2024-01-01') & line 2, column 25: FORMAT_DATE can not use %H of '%H'; dates",
                "FORMAT_TIMESTAMP(b, ts) & line 2, column 25: FORMAT_TIMESTAMP needs a constant pattern",
                "ARRAY_UNION(ARRAY[a], ARRAY[b]) & ARRAY_UNION",
                "(SELECT a, b FROM t) & line 2, column 25: A subquery that stands for one value selects several",
                "DATE_FORMAT(ts, '%Y-%m') & line 2, column 25: DATE_FORMAT can not use % of '%Y-%m'; its letters",
                "DATE_FORMAT(ts, 'yyyy-QQ') & DATE_FORMAT can not use Q of 'yyyy-QQ'; its letters",
                "TO_DATE(b, b) & line 2, column 25: TO_DATE needs a constant pattern, such as 'yyyy-MM-dd'",
                "ARRAY_EXISTS(ARRAY[a], x -> x) & ARRAY_EXISTS",
                "TRANSFORM(a, x -> x) & line 2, column 25: Cannot apply 'TRANSFORM'",
                "TRANSFORM(a, x -> x + ABS(a)) & of type 'TRANSFORM(<INTEGER>, <FUNCTION(ANY) -> ANY>)'. Supported",
                "ARRAY[1, DATE '2024-01-01'] & value of type INTEGER NOT NULL to type DATE NOT NULL; cast them to one",
                "TRANSFORM(ARRAY[a], x -> x + c) & column 54: Column 'c' not found in any table; t has a, b, ts",
                "TRANSFORM(ARRAY[a], x -> x.y) & line 2, column 50: x.y behind ->; UNNEST the array to compute with",
                "TRANSFORM(ARRAY[a], ARRAY[a], (x, y) -> x + y) & line 2, column 25: Cannot apply 'TRANSFORM'",
                "TRANSFORM(ARRAY[a], x -> x + (SELECT MAX(a) FROM t)) & column 54: A query in the expression behind ->",
                "ARRAY_CONTAINS(ARRAY[a], 2.5) & line 2, column 25: ARRAY_CONTAINS would round DECIMAL(2, 1) to",
                "CONVERT(b USING latin1) & line 2, column 25: CONVERT … USING; text has one character set, Unicode,",
                "CONVERT(MONEY, a) & line 2, column 33: Column 'MONEY' not found in any table; t has a, b, ts"
            })
    void saysWhatToWriteInsteadOfExpressions(String expression, String message) {
        assertThatThrownBy(() -> SqlProgram.compile(TABLE + CREATE + "SELECT " + expression + " AS x FROM t"))
                .isInstanceOf(SqlException.class)
                .hasMessageContaining(message.replace('~', '"'));
    }
}
