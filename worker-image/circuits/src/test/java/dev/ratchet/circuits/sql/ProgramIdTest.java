/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * State is found by these names: where one changes, what a release wrote before is refused as that of another program.
 */
class ProgramIdTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT l.s, COUNT(*) AS n FROM l JOIN r ON l.k = r.k WHERE l.v BETWEEN r.lo AND r.hi GROUP BY l.s"
                        + " | 9229dac74da28fc4",
                "SELECT l.s, r.hi FROM l JOIN r ON l.k = r.k | 05aa16869e281db8",
                "SELECT l.s, r.hi FROM l LEFT JOIN r ON l.k = r.k AND l.v + 1 > r.lo | 542420d120b56edd"
            })
    void programsWithoutPromisesKeepTheirNames(String query, String name) {
        assertThat(fingerprint(query)).isEqualTo(name);
    }

    /** Values that are counted once are kept otherwise since decision 119. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"SELECT k, AVG(v) AS a, COUNT(DISTINCT s) AS n FROM l GROUP BY k | 3f41b60eaa2e7645"})
    void stateThatIsKeptOtherwiseIsOfAnotherName(String query, String before) {
        assertThat(fingerprint(query)).isNotEqualTo(before);
    }

    private static String fingerprint(String query) {
        return SqlProgram.compile("CREATE TABLE l (k BIGINT, v BIGINT, s VARCHAR);"
                        + " CREATE TABLE r (k BIGINT, lo BIGINT, hi BIGINT); CREATE VIEW o AS " + query + ";")
                .plan()
                .fingerprint();
    }
}
