/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static dev.ratchet.e2e.suite.TwoReleases.NEXT;
import static dev.ratchet.e2e.suite.TwoReleases.NEXT_VERSION;
import static dev.ratchet.e2e.suite.TwoReleases.THIS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.Ratchet;
import dev.ratchet.client.Session;
import dev.ratchet.client.SessionOptions;
import dev.ratchet.client.SessionState;
import dev.ratchet.protocol.release.VersionRange;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of futures goes from this release to the next, whose formats are of one level more, and back. */
@Order(1)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NextReleaseUpgrade {

    private static final int WORKERS = 2;

    /** Of formats, of this release; the next one has one more. */
    private static final int LEVEL = VersionRange.FORMATS.newest();

    private final TwoReleases releases = TwoReleases.thisAndNext();
    private Cluster rolling;
    private Cluster byHand;
    private Ratchet ratchet;

    @BeforeAll
    void aClusterOfThisRelease() {
        rolling = Cluster.in(releases.environment, "releases", "rolling").apply(WORKERS, """
              upgrade:
                gates: {stableMillis: 1000, timeoutMillis: 120000}
            """);
        ratchet = rolling.connect();
        rolling.awaitReady(WORKERS);
    }

    @AfterAll
    void end() {
        if (ratchet != null) {
            ratchet.close();
        }
        rolling.close();
        if (byHand != null) {
            byHand.close();
        }
    }

    @Test
    @Order(1)
    void aVersionThatIsNewerThanTheOperatorIsNotAccepted() {
        releases.toVersion(rolling, NEXT_VERSION);
        rolling.awaitThat("a refusal", () -> rolling.condition("Accepted").equals("False"));
        assertThat(rolling.conditionField("Accepted", "message")).contains(NEXT_VERSION, Cluster.VERSION);
        releases.toVersion(rolling, Cluster.VERSION);
        rolling.awaitThat(
                "the spec to be accepted", () -> rolling.condition("Accepted").equals("True"));
    }

    @Test
    @Order(2)
    void anOperatorOfTheNextReleaseReplacesNoPod() {
        List<String> before = uids(rolling);
        releases.replaceOperator();
        releases.edit(rolling, "{\"spec\":{\"workers\":{\"drainTimeoutMillis\":540000}}}");
        rolling.awaitThat("the next operator to have seen an edit", () -> isObserved(rolling));
        rolling.awaitReady(WORKERS);
        assertThat(uids(rolling)).isEqualTo(before);
        assertThat(TwoReleases.toldFormatLevel(rolling)).isEqualTo(LEVEL);
    }

    @Test
    @Order(3)
    void anEditOfTheVersionRollsToItsEndNothingIsLostAndTheFormatsAreRaised() throws InterruptedException {
        Job job = Job.start(ratchet, "to-next");
        rolling.awaitThat("the job to run", () -> job.realizedBy("rolling-w-0") > 0);
        Session session = ratchet.sessions().open(SessionOptions.defaults());
        String seat = session.info().seat();
        callOnWhileTheStoreIsReplaced();
        rolling.awaitThat("the worker of the session to drain", () -> isDraining(seat));
        assertThat(session.submit(Tasks.seat()).get(Cluster.TIMEOUT))
                .as("where the session goes on")
                .isEqualTo(seat);
        assertThat(TwoReleases.image(pod(seat))).as("its release").endsWith(":" + Cluster.VERSION);
        assertThat(session.info().state()).isEqualTo(SessionState.OPEN);
        session.close();
        TwoReleases.awaitVersion(rolling, WORKERS, NEXT_VERSION);
        assertThat(session.info().state()).as("after its worker is gone").isEqualTo(SessionState.CLOSED);
        rolling.awaitThat("the formats to be raised", () -> TwoReleases.formatLevel(rolling) == LEVEL + 1);
        long then = realizedByNew(job);
        rolling.awaitThat("results in the new formats", () -> realizedByNew(job) > then);
        assertThat(job.finish().retried()).as("draining burns no attempt").isZero();
        assertThat(releases.plugin(rolling, "check")).contains("all agree");
    }

    /** Edits the version, and prints for how long a caller waits for a store whose image is patched. */
    private void callOnWhileTheStoreIsReplaced() throws InterruptedException {
        Caller caller = Caller.start(
                number -> assertThat(ratchet.submit(Tasks.constant(number)).get(Cluster.TIMEOUT))
                        .isEqualTo(number));
        try (StoreAbsence absence = new StoreAbsence(TwoReleases.store(rolling))) {
            releases.toVersion(rolling, NEXT_VERSION);
            rolling.awaitThat("the store to be of the next release", () -> restarts(rolling) == 1);
            rolling.awaitThat("a call after that", caller.nextEnd());
            System.out.printf(
                    "figure: the store is replaced: it answers nobody for %d ms, and no call ends for %d ms%n",
                    absence.longestMillis(), caller.takeLongestMillis());
        }
        caller.end();
        assertThat(caller.failures()).as("what the caller was told").isEmpty();
    }

    @Test
    @Order(4)
    void afterTheRaiseThisReleaseCanNotComeBackNorReadTheFiles(@TempDir Path folder) {
        List<String> before = uids(rolling);
        releases.toVersion(rolling, Cluster.VERSION);
        rolling.awaitThat(
                "a refusal", () -> rolling.conditionField("Accepted", "reason").equals("FormatIncompatible"));
        assertThat(rolling.conditionField("Accepted", "message")).contains(Cluster.VERSION);
        assertThat(uids(rolling)).isEqualTo(before);
        releases.toVersion(rolling, NEXT_VERSION);
        rolling.awaitReady(WORKERS);
        String backup = folder.resolve("rolling.backup").toString();
        releases.onStore(NEXT, rolling, "store", "backup", backup).succeeded();
        String data = folder.resolve("data").toString();
        assertThat(TwoReleases.ratchet(THIS, "store", "restore", backup, "--data-dir", data)
                        .output())
                .contains("has format 2, and this release reads 1");
        TwoReleases.ratchet(NEXT, "store", "restore", backup, "--data-dir", data)
                .succeeded();
        assertThat(TwoReleases.ratchet(THIS, "store", "backup", backup + ".again", "--data-dir", data)
                        .output())
                .contains("is of kind 34, and this release reads 33");
        assertThat(releases.onStore(THIS, rolling, "store", "fence", "--yes").output())
                .contains("format level " + (LEVEL + 1) + ", recorded by release " + NEXT_VERSION)
                .contains("this release, " + Cluster.VERSION + ", works on levels " + VersionRange.FORMATS);
    }

    @Test
    @Order(5)
    void aStoreReadsWhatItWroteAtBothLevels() throws InterruptedException {
        Job job = Job.start(ratchet, "restarted");
        rolling.awaitThat("the job to run", () -> realizedByNew(job) > 0);
        releases.environment.kill(TwoReleases.store(rolling));
        rolling.awaitThat("the store to be back", () -> restarts(rolling) >= 2);
        job.finish();
        rolling.awaitReady(WORKERS);
        assertThat(releases.plugin(rolling, "check")).contains("all agree");
    }

    @Test
    @Order(6)
    void byHandTheWayBackStaysOpenUntilAPersonEndsIt() throws InterruptedException {
        byHand = Cluster.in(releases.environment, "by-hand", "careful").apply(1, """
              upgrade:
                strategy: AllAtOnce
                finalize: Manual
                gates: {stableMillis: 1000, timeoutMillis: 120000}
            """);
        byHand.awaitReady(1);
        try (Ratchet careful = byHand.connect()) {
            Job job = Job.start(careful, "there-and-back");
            for (String version : List.of(NEXT_VERSION, Cluster.VERSION, NEXT_VERSION)) {
                releases.toVersion(byHand, version);
                TwoReleases.awaitVersion(byHand, 1, version);
                assertThat(TwoReleases.toldFormatLevel(byHand)).isEqualTo(LEVEL);
                assertThat(releases.unreadable(THIS, byHand))
                        .as("what workers of either release recorded and this one can not read")
                        .isEmpty();
            }
            byHand.awaitThat("a person to be waited for", () -> byHand.conditionField("UpgradeBlocked", "reason")
                    .equals("FinalizeAwaited"));
            releases.plugin(byHand, "upgrade", "finalize");
            byHand.awaitThat("the formats to be raised", () -> TwoReleases.formatLevel(byHand) == LEVEL + 1);
            byHand.awaitThat("a record of the job in its new format", () -> releases.unreadable(THIS, byHand).stream()
                    .anyMatch(NextReleaseUpgrade::isRecordInFormat2));
            assertThat(job.finish().retried()).as("draining burns no attempt").isZero();
        }
        assertThat(releases.unreadable(NEXT, byHand)).isEmpty();
    }

    private static boolean isRecordInFormat2(String line) {
        return line.startsWith("futures/record/") && line.contains("The value has format 2, this release reads 1 to 1");
    }

    private boolean isDraining(String seat) {
        return rolling.resources("ComputeWorker").stream()
                .filter(worker -> worker.getMetadata().getName().equals(seat))
                .anyMatch(worker -> "Draining".equals(worker.<String>get("status", "state")));
    }

    private Pod pod(String seat) {
        return rolling.workerPods().stream()
                .filter(pod -> pod.getMetadata().getName().equals(seat))
                .findFirst()
                .orElseThrow();
    }

    /** By the workers that the upgrade has added. */
    private static long realizedByNew(Job job) {
        return job.realizedBy("rolling-w-2") + job.realizedBy("rolling-w-3");
    }

    private static int restarts(Cluster cluster) {
        return TwoReleases.store(cluster)
                .getStatus()
                .getContainerStatuses()
                .getFirst()
                .getRestartCount();
    }

    private static List<String> uids(Cluster cluster) {
        return cluster.pods(Map.of("ratchet.dev/cluster", cluster.name)).stream()
                .map(pod -> pod.getMetadata().getUid())
                .toList();
    }

    private static boolean isObserved(Cluster cluster) {
        long generation =
                Objects.requireNonNull(cluster.resource()).getMetadata().getGeneration();
        return cluster.number("status", "observedGeneration") == generation;
    }
}
