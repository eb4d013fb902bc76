/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Replays all that was recorded from a real FoundationDB: 54,030 operations in 700 short schedules. A backend passes
 * with no difference at all.
 */
public abstract class TraceConformance {

    /** A database that nobody else uses; the test closes it. */
    protected abstract Database open();

    /**
     * The first keys of the recorded cluster's system space, of which one schedule meets the fourth: a note of its time
     * keeper. What the first three were it does not tell. Whoever replays the schedules on a database without them sees
     * one difference, in scenarios-1002.
     */
    private static @Nullable Void setRecordedSystemKeys(Transaction transaction) {
        transaction.options().setAccessSystemKeys();
        for (String key : List.of("ff00", "ff01", "ff02", "ff022f74696d654b65657065722f6d61702f186b00ed03")) {
            transaction.set(HexFormat.of().parseHex(key), new byte[8]);
        }
        return null;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "atomics",
                "basic",
                "chunks",
                "conflicts",
                "errors",
                "limits",
                "mixed",
                "options",
                "scenarios",
                "selectors",
                "special",
                "versions",
                "versionstamps",
                "watches"
            })
    void everyRecordedAnswerIsGiven(String profile) throws IOException {
        List<Trace> traces = Trace.read(profile);
        List<String> differences = new ArrayList<>();
        try (Database database = open()) {
            database.run(TraceConformance::setRecordedSystemKeys);
            for (Trace trace : traces) {
                differences.addAll(new TraceRun(database, trace).differences());
            }
        }
        assertThat(traces).hasSize(50);
        assertThat(differences)
                .as("%d differences, the first of them", differences.size())
                .isEmpty();
    }
}
