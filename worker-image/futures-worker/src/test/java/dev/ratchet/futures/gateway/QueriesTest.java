/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.client.v1.JobStatus;
import dev.ratchet.protocol.client.v1.StatusReply;
import dev.ratchet.store.fixture.Growth;
import dev.ratchet.store.fixture.MeasuredDatabase;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is shown of jobs is exact, however many there are, and tells when it is not all. */
class QueriesTest {

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Keyspace keyspace = new Keyspace("test/queries");
    private final FutureKeys keys = new FutureKeys(keyspace);
    private final MeasuredDatabase measured = new MeasuredDatabase();
    private final FutureStore store =
            new FutureStore(measured.wrapper().apply(StoreUnderTest.open(environment)), keys, environment);
    private final Queries queries = new Queries(store, new StoredMembers(keyspace));

    @AfterEach
    void close() {
        environment.close();
    }

    @Test
    void fewJobsAreAllShown() {
        write(3, 2);

        StatusReply status = queries.status().join().build();

        assertThat(status.getJobsList()).extracting(JobStatus::getJob).containsExactly("job 0", "job 1", "job 2");
        assertThat(status.getMoreJobs()).isFalse();
    }

    @Test
    void ofMoreJobsThanAreShownTheFirstAreShownAndSaidToBeNotAll() {
        write(1_001, 1);

        StatusReply status = queries.status().join().build();

        assertThat(status.getJobsCount()).isEqualTo(1_000);
        assertThat(status.getMoreJobs()).isTrue();
    }

    @Test
    void aJobIsShownWithAllOfItsWorkersOrNotAtAll() {
        int seats = 64;
        write(400, seats);

        StatusReply status = queries.status().join().build();

        assertThat(status.getJobsCount()).isBetween(1, 399);
        assertThat(status.getMoreJobs()).isTrue();
        assertThat(status.getJobsList())
                .allSatisfy(job ->
                        assertThat(job.getSummary().getRealizedBySeatCount()).isEqualTo(seats));
        assertThat(queries.summary("job 99").join().getRealizedBySeatCount())
                .as("workers of the last job, asked for by name")
                .isEqualTo(seats);
        Growth.assertBounded(measured, Set.of("Queries.status", "Queries.summary"), Map.of());
    }

    /** Counters as the workers of jobs leave them. */
    private void write(int jobs, int seats) {
        for (int job = 0; job < jobs; job++) {
            String name = "job " + job;
            store.runPlain(transaction -> {
                        for (int seat = 0; seat < seats; seat++) {
                            transaction.set(keys.counts.key(name, "realized", "w-" + seat), keys.counts.encode(1L));
                        }
                        return CompletableFuture.completedFuture(name);
                    })
                    .join();
        }
    }
}
