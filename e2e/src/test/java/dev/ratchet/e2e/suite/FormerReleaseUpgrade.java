/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.Ratchet;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A cluster of futures goes from the release before this one to this one, back, and here again while a job runs. */
@Order(3)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FormerReleaseUpgrade {

    private static final int WORKERS = 2;

    private final TwoReleases releases = TwoReleases.beforeAndThis();
    private Cluster cluster;
    private Ratchet ratchet;

    @BeforeAll
    void aClusterOfTheReleaseBefore() {
        cluster = Cluster.in(releases.environment, "former", "former").apply(releases.olderVersion, WORKERS, """
              upgrade:
                finalize: Manual
                gates: {stableMillis: 1000, timeoutMillis: 120000}
            """);
        cluster.awaitReady(WORKERS);
        ratchet = cluster.connect();
        releases.replaceOperator();
    }

    @AfterAll
    void end() {
        if (ratchet != null) {
            ratchet.close();
        }
        cluster.close();
    }

    @Test
    void aJobIsDoneByWorkersOfBothReleasesAndNothingIsLost() throws InterruptedException {
        Job job = Job.start(ratchet, "there-and-back");
        for (String version : List.of(releases.newerVersion, releases.olderVersion, releases.newerVersion)) {
            releases.toVersion(cluster, version);
            TwoReleases.awaitVersion(cluster, WORKERS, version);
            assertThat(TwoReleases.toldFormatLevel(cluster)).isEqualTo(1);
        }
        assertThat(job.finish().retried()).as("draining burns no attempt").isZero();
        assertThat(releases.plugin(cluster, "check")).contains("all agree");
    }
}
