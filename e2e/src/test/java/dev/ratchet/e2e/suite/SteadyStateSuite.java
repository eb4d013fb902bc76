/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ratchet.e2e.environment.TestEnvironment;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** An operator with nothing to do asks for nothing; counted in requests, as the operator itself counts them. */
@Order(6)
@Isolated
class SteadyStateSuite {

    private static final Duration QUIET = Duration.ofSeconds(5);

    private final TestEnvironment environment = TestEnvironment.current();

    @Test
    void nothingIsWrittenWhileNothingChanges() throws InterruptedException {
        try (Cluster cluster =
                Cluster.in(environment, "steady", "still").apply(2).awaitReady(2)) {
            ApiRequests before = settled();
            TimeUnit.SECONDS.sleep(60);
            ApiRequests idle = ApiRequests.of(environment).since(before);
            System.out.printf("figure: API requests in 60 s of steady state: %s (%s)%n", idle, environment.name());
            assertThat(idle.writes()).isZero();
            assertThat(idle.reads()).isLessThanOrEqualTo(1);

            report("scale 2 to 3", cluster, 3);
            report("scale 3 to 2", cluster, 2);
        }
    }

    private void report(String what, Cluster cluster, int replicas) {
        ApiRequests before = settled();
        cluster.patchReplicas(replicas);
        cluster.awaitReady(replicas);
        System.out.printf(
                "figure: API requests of %s: %s (%s)%n", what, settled().since(before), environment.name());
    }

    /** The count once it has not moved for a while. */
    private ApiRequests settled() {
        return await("the operator to come to rest")
                .atMost(Cluster.TIMEOUT)
                .pollInterval(QUIET)
                .until(() -> new ApiRequests[] {ApiRequests.of(environment), later()}, pair -> pair[0].equals(pair[1]))[
                1];
    }

    private ApiRequests later() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(QUIET.toMillis());
        return ApiRequests.of(environment);
    }
}
