/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.environment.Environment;
import dev.ratchet.environment.ForwardingEnvironment;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.store.ordered.GatedPages;
import dev.ratchet.store.ordered.OrderedTree;
import dev.ratchet.store.ordered.PagedTrees;
import dev.ratchet.store.ordered.TreeEditor;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.CommitRequest;
import dev.ratchet.store.transaction.KeyRange;
import dev.ratchet.store.transaction.Mutation;
import dev.ratchet.store.transaction.RangeChunk;
import dev.ratchet.store.transaction.RangeRead;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A disk that does not answer holds up whoever reads from it, and nobody else. */
class ColdReadsTest {

    private static final int KEYS = 5_000;
    private static final long PATIENCE_SECONDS = 60;

    private final SystemEnvironment environment = new SystemEnvironment();
    private final ExecutorService readers = Executors.newFixedThreadPool(2);
    private final GatedPages pages = new GatedPages();

    private final class Durable implements Durability {
        @Override
        public void append(CommittedBatch batch, Consumer<@Nullable Throwable> done) {
            done.accept(null);
        }

        @Override
        public Executor reads() {
            return readers;
        }
    }

    @AfterEach
    void stop() {
        readers.shutdownNow();
        environment.close();
    }

    private static byte[] key(int number) {
        return new byte[] {1, (byte) (number >>> 8), (byte) number};
    }

    private static byte[] value(int number) {
        return new byte[] {(byte) (number * 7)};
    }

    private static CommitRequest setting(int number) {
        return new CommitRequest(
                CommitRequest.NO_READ_VERSION,
                List.of(),
                List.of(KeyRange.ofKey(key(number))),
                List.of(new Mutation(Mutation.SET, key(number), new byte[] {99})),
                10,
                null,
                false,
                false,
                false);
    }

    /** A tree of which nothing but the root is in memory. */
    private OrderedTree<byte[]> coldTree() throws IOException {
        TreeEditor<byte[]> editor =
                OrderedTree.<byte[]>empty(StartingPoint::weigh).edit();
        for (int i = 0; i < KEYS; i++) {
            editor.put(key(i), value(i));
        }
        PagedTrees.Root root = new PagedTrees(pages, 1 << 20, StartingPoint::weigh).rest(editor.freeze(), 0);
        return new PagedTrees(pages, 1 << 20, StartingPoint::weigh).open(root);
    }

    @Test
    void whatIsInMemoryIsReadAndCommittedWhileOthersWaitForTheDisk() throws Exception {
        StartingPoint start = new StartingPoint(1_000_000, coldTree(), Map.of());
        try (EmbeddedEngine engine = new EmbeddedEngine(environment, EngineSettings.DEFAULT, new Durable(), start)) {
            long version = start.version();
            assertThat(engine.get(version, key(KEYS - 1)).get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isEqualTo(value(KEYS - 1));

            CountDownLatch gate = new CountDownLatch(1);
            pages.shut(gate);
            CompletableFuture<byte @Nullable []> coldValue = engine.get(version, key(5));
            CompletableFuture<RangeChunk> coldRows =
                    engine.range(RangeRead.ofKeys(version, key(2_000), key(2_100), 1_000, 1 << 20, false));
            CompletableFuture<CommitOutcome> coldCommit = engine.commit(setting(1_000));
            assertThat(engine.get(version, key(KEYS - 1))).isDone();
            engine.commit(setting(KEYS - 1)).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(coldValue).isNotDone();
            assertThat(coldRows).isNotDone();
            assertThat(coldCommit).isNotDone();

            gate.countDown();
            assertThat(coldValue.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(value(5));
            assertThat(coldRows.get(PATIENCE_SECONDS, TimeUnit.SECONDS).rows()).hasSize(100);
            long committed = coldCommit.get(PATIENCE_SECONDS, TimeUnit.SECONDS).version();
            assertThat(engine.get(committed, key(1_000)).get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .containsExactly(99);
        }
    }

    @Test
    void whatCanNotBeReadForAReasonThatNobodyExpectsFailsInsteadOfWaiting() throws Exception {
        failsForTheReason(environment);
    }

    @Test
    void whoseCommitStopsTheStoreHearsWhyWhoeverIsToldFirst() throws Exception {
        ExecutorService newestFirst =
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingDeque<Runnable>() {
                    @Override
                    public boolean offer(Runnable task) {
                        return offerFirst(task);
                    }
                });
        try {
            failsForTheReason(new ForwardingEnvironment() {
                @Override
                public Environment real() {
                    return environment;
                }

                @Override
                public Executor executor() {
                    return newestFirst;
                }
            });
        } finally {
            newestFirst.shutdownNow();
        }
    }

    private void failsForTheReason(Environment run) throws Exception {
        StartingPoint start = new StartingPoint(1_000_000, coldTree(), Map.of());
        try (EmbeddedEngine engine = new EmbeddedEngine(run, EngineSettings.DEFAULT, new Durable(), start)) {
            pages.fail(new IllegalStateException("planted"));
            CompletableFuture<byte @Nullable []> value = engine.get(start.version(), key(5));
            assertThatThrownBy(() -> value.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .hasRootCauseMessage("planted");
            CompletableFuture<CommitOutcome> commit = engine.commit(setting(1_000));
            assertThatThrownBy(() -> commit.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .hasRootCauseMessage("planted");
        }
    }
}
