/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Replays all that was recorded from a real FoundationDB: 54,030 operations in 700 short schedules. A backend passes
 * with no difference at all.
 */
public abstract class TraceConformance {

    private static final int TRACES_OF_A_PROFILE = 50;
    private static final List<String> PROFILES = List.of(
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
            "watches");

    /** A database that nobody else uses, for one profile; the test closes it. */
    protected abstract Database open();

    /** How many such databases there can be at a time. */
    protected int databasesMax() {
        return PROFILES.size();
    }

    /** Brings a database to where the recorded one began. */
    protected void prepare(Database database) {
        database.run(TraceConformance::setRecordedSystemKeys);
    }

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

    @Test
    void everyRecordedAnswerIsGiven() throws Exception {
        List<Future<List<String>>> profiles = new ArrayList<>();
        // Most of the time goes by waiting for what must not happen: the profiles wait together.
        try (ExecutorService threads = Executors.newFixedThreadPool(databasesMax())) {
            for (String profile : PROFILES) {
                profiles.add(threads.submit(() -> replay(profile, open())));
            }
        }
        List<String> differences = new ArrayList<>();
        for (Future<List<String>> profile : profiles) {
            differences.addAll(profile.get());
        }
        assertThat(differences)
                .as("%d differences, the first of them", differences.size())
                .isEmpty();
    }

    private List<String> replay(String profile, Database database) throws IOException {
        List<Trace> traces = Trace.read(profile);
        assertThat(traces).hasSize(TRACES_OF_A_PROFILE);
        List<String> differences = new ArrayList<>();
        try (database) {
            prepare(database);
            for (Trace trace : traces) {
                differences.addAll(new TraceRun(database, trace).differences());
            }
        }
        return differences;
    }
}
