/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.run.RowBatches.RowBatch;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However a file is cut and wherever it is resumed, its rows go out once and whole. */
class RowBatchesTest {

    private static final String HEADER = "k,v\n";

    private static RowBatches batches(String text, int wanted, int max) throws IOException {
        InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        return new RowBatches(in, true, wanted, max);
    }

    private static List<RowBatch> all(RowBatches batches) throws IOException {
        List<RowBatch> all = new ArrayList<>();
        for (RowBatch next = batches.next(); next != null; next = batches.next()) {
            all.add(next);
        }
        return all;
    }

    private static String rows(RowBatch batch) {
        String text = new String(batch.rows(), StandardCharsets.UTF_8);
        assertThat(text).startsWith(HEADER);
        return text.substring(HEADER.length());
    }

    private static long lines(String text) {
        return text.chars().filter(c -> c == '\n').count();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theBatchesFromAnyEndOnAreTheRestOfTheFile(long seed) throws IOException {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder(HEADER);
        for (int row = 0; row < 500; row++) {
            text.append(random.nextBoolean() ? "\"two\nlines, \"\"quoted\"\"\"" : "é" + row)
                    .append(',')
                    .append(row)
                    .append('\n');
        }
        String file = text.toString();
        byte[] bytes = file.getBytes(StandardCharsets.UTF_8);
        for (RowBatch end : all(batches(file, 1 + random.nextInt(300), 4_000))) {
            RowBatches resumed = batches(file, 1 + random.nextInt(3_000), 4_000);
            resumed.skip(end.end());
            StringBuilder rest = new StringBuilder();
            all(resumed).forEach(batch -> {
                int before = bytes.length - (int) end.end() - rest.toString().getBytes(StandardCharsets.UTF_8).length;
                assertThat(batch.linesBefore())
                        .isEqualTo(lines(new String(bytes, 0, bytes.length - before, StandardCharsets.UTF_8)) - 1);
                assertThat(rows(batch).chars().filter(c -> c == '"').count() % 2)
                        .isZero();
                rest.append(rows(batch));
            });
            assertThat(rest.toString())
                    .as("seed %d, from byte %d on", seed, end.end())
                    .isEqualTo(
                            new String(bytes, (int) end.end(), bytes.length - (int) end.end(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void whatNoRequestMayHaveIsToldWithItsPlace() throws IOException {
        RowBatches batches = batches(HEADER + "a,1\n" + "x".repeat(200) + ",2\n", 10, 100);
        assertThat(rows(batches.next())).isEqualTo("a,1\n");
        assertThatThrownBy(batches::next)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("The row at byte 8 has more than 96 bytes");
    }
}
