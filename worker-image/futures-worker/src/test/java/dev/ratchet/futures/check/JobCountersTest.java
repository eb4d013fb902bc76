/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.worker.StoreFixture;
import dev.ratchet.store.fixture.Growth;
import dev.ratchet.store.fixture.MeasuredDatabase;
import dev.ratchet.store.fixture.TransactionKinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Counters of jobs that change while they are checked. */
class JobCountersTest {

    @Test
    void aJobThatIsCountedAgainIsReadInSmallTransactions() {
        MeasuredDatabase measured = new MeasuredDatabase();
        try (StoreFixture fixture = new StoreFixture(measured.wrapper())) {
            fixture.submitAll(Growth.RECORDS / 4, SubmitOptions.ofJob(StoreFixture.JOB));
            PinnedVersion version = new PinnedVersion();
            JobCounters counters = new JobCounters(fixture.store, version);
            counters.read().join();
            // A store that has forgotten the version has the next page read at a newer one.
            fixture.submit(0);
            PinnedVersion.Use forgotten = version.use();
            for (int attempt = 0; attempt < 2; attempt++) {
                fixture.store.runPlain(forgotten::pin).join();
            }
            assertThat(version.count()).isGreaterThan(1);

            List<Violation> violations = new ArrayList<>();
            assertThat(counters.judge(violations::add).join())
                    .as("what was not compared")
                    .isEmpty();
            assertThat(violations).isEmpty();
        }
        Set<String> kinds = TransactionKinds.in("dev.ratchet.futures.check");
        kinds.removeIf(kind -> !kind.startsWith("JobCounters"));
        Growth.assertBounded(measured, kinds, Map.of(), Growth.PAGE);
    }
}
