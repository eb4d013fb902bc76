/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeySelector;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.CommitRequest;
import dev.ratchet.store.transaction.ErrorCode;
import dev.ratchet.store.transaction.KeyRange;
import dev.ratchet.store.transaction.Mutation;
import dev.ratchet.store.transaction.RangeRead;
import dev.ratchet.store.transaction.ReadVersionRequest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a client relies on when connections are cut, fall silent and are refused at random, and servers start again. */
@Timeout(180)
class BreakingConnectionsTest {

    private static final int CALLERS = 4;
    private static final int MANY = Integer.MAX_VALUE;
    private static final byte[] COUNTER = bytes("counter");

    private final Queue<CompletableFuture<?>> requests = new ConcurrentLinkedQueue<>();
    private final AtomicLong committed = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();
    private volatile boolean stopped;

    static LongStream seeds() {
        long first = Long.getLong("ratchet.firstSeed", 1);
        return LongStream.range(first, first + Integer.getInteger("ratchet.seeds", 1));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyRequestIsAnsweredAndEveryCommitHappensAtMostOnce(long seed) throws Exception {
        Random random = new Random(seed);
        try (ServedEngine store = new ServedEngine()) {
            RemoteConnection client = store.connect();
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                Random mine = new Random(random.nextLong());
                callers.add(Thread.ofPlatform().start(() -> call(client, mine)));
            }
            for (int breaks = 0; breaks < 12; breaks++) {
                Thread.sleep(random.nextInt(800));
                happen(store, random);
            }
            store.proxy.up();
            stopped = true;
            for (Thread caller : callers) {
                caller.join();
            }
            for (CompletableFuture<?> request : requests) {
                assertThat(request.handle((answer, failure) -> true).get(60, TimeUnit.SECONDS))
                        .isTrue();
            }
            long version = client.readVersion(ReadVersionRequest.DEFAULT).get(30, TimeUnit.SECONDS);
            byte[] counter = client.get(version, COUNTER).get(30, TimeUnit.SECONDS);
            long count = counter == null
                    ? 0
                    : ByteBuffer.wrap(counter).order(ByteOrder.LITTLE_ENDIAN).getLong();
            assertThat(count).isBetween(committed.get(), committed.get() + unknown.get());
        }
    }

    private static void happen(ServedEngine store, Random random) throws InterruptedException {
        switch (random.nextInt(6)) {
            case 0, 1 -> store.proxy.cut();
            case 2 -> store.proxy.loseRequests();
            case 3 -> store.proxy.loseAnswers();
            case 4 -> {
                store.proxy.down();
                Thread.sleep(random.nextInt(1_500));
                store.proxy.up();
            }
            default -> store.restartServer(1);
        }
    }

    /** Asks and commits all the time, a few at once. */
    private void call(RemoteConnection client, Random random) {
        List<CompletableFuture<?>> some = new ArrayList<>();
        while (!stopped) {
            some.add(random.nextInt(3) == 0 ? commit(client, random) : read(client, random));
            requests.add(some.getLast());
            if (some.size() == 20) {
                CompletableFuture.allOf(some.toArray(CompletableFuture[]::new))
                        .handle((done, failure) -> null)
                        .completeOnTimeout(null, 1, TimeUnit.SECONDS)
                        .join();
                some.clear();
            }
        }
    }

    private CompletableFuture<CommitOutcome> commit(RemoteConnection client, Random random) {
        byte[] one = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(1)
                .array();
        byte[] key = bytes("row" + random.nextInt(100));
        CommitRequest request = new CommitRequest(
                CommitRequest.NO_READ_VERSION,
                List.of(),
                List.of(KeyRange.ofKey(COUNTER)),
                List.of(new Mutation(Mutation.ADD, COUNTER, one), new Mutation(Mutation.SET, key, new byte[10_000])),
                20_000,
                null,
                false,
                false,
                random.nextBoolean());
        return client.commit(request).whenComplete((outcome, failure) -> {
            if (failure == null) {
                committed.incrementAndGet();
            } else if (codeOf(failure) == ErrorCode.COMMIT_UNKNOWN_RESULT) {
                unknown.incrementAndGet();
            }
        });
    }

    private static int codeOf(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof FDBException refused ? refused.getCode() : -1;
    }

    private static CompletableFuture<Boolean> read(RemoteConnection client, Random random) {
        int kind = random.nextInt(3);
        return client.readVersion(ReadVersionRequest.DEFAULT).thenCompose(version -> switch (kind) {
            case 0 -> client.get(version, COUNTER).thenApply(value -> true);
            case 1 ->
                client.resolve(version, KeySelector.firstGreaterThan(COUNTER)).thenApply(key -> true);
            default ->
                client.range(RangeRead.ofKeys(version, bytes("row"), bytes("rox"), 100, MANY, false))
                        .thenApply(rows -> true);
        });
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
