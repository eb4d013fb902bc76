/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureInfo;
import dev.ratchet.client.FutureQuery;
import dev.ratchet.client.Progress;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskContext;
import dev.ratchet.client.TaskFailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a task says of its progress is seen while it runs, wherever it runs and whichever worker is asked. */
@OnCluster(threads = {1, 1})
class ProgressTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Ratchet ratchet;

    ProgressTest(Ratchet ratchet) {
        this.ratchet = ratchet;
    }

    /** Counts to a thousand, and says so, then waits until a file is there. */
    private record Counting(String file) implements SerializableCallable<Integer> {
        @Override
        public Integer call() throws Exception {
            for (int i = 1; i <= 1_000; i++) {
                TaskContext.current().progress(i, 1_000, "step " + i);
            }
            while (!Files.exists(Path.of(file))) {
                Thread.sleep(20);
            }
            return 1_000;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theLastWordIsSeenByWhoeverAsksUntilTheTaskEnds(boolean isolated, @TempDir Path directory) throws Exception {
        Path file = directory.resolve("go");
        SubmitOptions job = SubmitOptions.ofJob("progress " + isolated);
        SubmitOptions options = isolated ? job.withIsolation() : job;
        List<DurableFuture<Integer>> both = List.of(
                ratchet.submit(options, new Counting(file.toString())),
                ratchet.submit(options.withName("second"), new Counting(file.toString())));

        for (DurableFuture<Integer> future : both) {
            Awaitility.await().atMost(LIMIT).until(() -> ratchet.describe(future.id())
                    .flatMap(FutureInfo::progress)
                    .filter(said -> said.done() == 1_000)
                    .isPresent());
        }
        Awaitility.await("the workers to answer in time").atMost(LIMIT).untilAsserted(() -> assertThat(
                        ratchet.list(FutureQuery.ofJob(options.job()))
                                .map(FutureInfo::progress)
                                .flatMap(Optional::stream)
                                .map(Progress::note))
                .containsExactly("step 1000", "step 1000"));

        Files.createFile(file);
        assertThat(ratchet.awaitAll(both, LIMIT)).containsExactly(1_000, 1_000);
        assertThat(ratchet.describe(both.get(0).id()).orElseThrow().progress()).isEmpty();
    }

    @Test
    void whatIsNoProgressFailsTheTaskThatSaysIt() {
        DurableFuture<Integer> wrong = ratchet.submit(SubmitOptions.defaults().withMaxRetries(0), () -> {
            TaskContext.current().progress(-1, 2);
            return 1;
        });

        assertThatThrownBy(() -> wrong.get(LIMIT))
                .isInstanceOf(TaskFailedException.class)
                .hasMessageContaining("not -1 of 2");
    }
}
