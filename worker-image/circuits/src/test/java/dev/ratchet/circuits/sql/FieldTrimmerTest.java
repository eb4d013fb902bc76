/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldTrimmerTest {

    private static final String TABLE = "CREATE TABLE t (a INT, unread VARCHAR, ts TIMESTAMP, b INT);\n";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a, window_end FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR))",
                "SELECT a, window_end FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '2' HOUR))",
                "SELECT b, window_end FROM TABLE(SESSION(TABLE t, DESCRIPTOR(ts), DESCRIPTOR(a), INTERVAL '1' HOUR))",
                "SELECT a, b FROM (SELECT t.*, ROW_NUMBER() OVER (PARTITION BY a ORDER BY ts) AS r FROM t) WHERE r = 1",
                "SELECT a, SUM(b) OVER (PARTITION BY a ORDER BY ts) AS s FROM (SELECT * FROM t)"
            })
    void columnsThatNobodyReadAreNotCarriedThroughWindows(String query) {
        String plan =
                SqlProgram.compile(TABLE + "CREATE VIEW v AS " + query + ";").explanation();
        String table = plan.lines()
                .filter(line -> line.contains("TableScan"))
                .findFirst()
                .orElseThrow();
        String above = plan.lines().toList().get(plan.lines().toList().indexOf(table) - 1);
        assertThat(above).as(plan).contains("LogicalProject").doesNotContain("$1]");
    }

    @Test
    @Timeout(120)
    void whatCanNotBePlannedInSomeSecondsIsRefused() {
        String program = """
                CREATE TABLE t (a INT, b INT, c INT);
                CREATE VIEW v AS SELECT c FROM t WHERE (a, b) NOT IN (SELECT a, b FROM t AS u WHERE u.c > t.c
                  AND (u.a, u.b) NOT IN (SELECT a, b FROM t AS w WHERE w.c > t.a));
                """;
        assertThatThrownBy(() -> SqlProgram.compile(program))
                .isInstanceOf(SqlException.class)
                .hasMessageContaining("line 2, column 18")
                .hasMessageContaining("too many others); write it as joins");
    }
}
