/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.dataflow.ShareFeed;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A share reads the same in another process. */
@Timeout(240)
class SharesServiceTest {

    private static final int LIMIT_SECONDS = 60;
    private static final int WAITING_BYTES_MAX = 20_000;

    private final MemoryShareFeed feed = new MemoryShareFeed("v", TestRows.SCHEMA);
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private Server server;
    private ManagedChannel channel;
    private ShareFeed remote;

    @BeforeEach
    void serve() throws IOException {
        String name = InProcessServerBuilder.generateName();
        server = InProcessServerBuilder.forName(name)
                .addService(new SharesService(feed, executor, () -> 1, WAITING_BYTES_MAX))
                .build()
                .start();
        channel = InProcessChannelBuilder.forName(name).build();
        remote = new RemoteShareFeed(channel, view -> TestRows.SCHEMA);
    }

    @AfterEach
    void end() {
        channel.shutdownNow();
        server.shutdownNow();
        executor.shutdownNow();
    }

    private String next() throws InterruptedException {
        String next = told.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertThat(next).as("what is told within %d s", LIMIT_SECONDS).isNotNull();
        return next;
    }

    @Test
    void snapshotChangesProgressAndEndArrive() throws InterruptedException {
        feed.step(TestRows.batch("+a 1"));
        remote.follow("v", ShareFeed.FROM_SNAPSHOT, new TextShareListener(told::add));
        assertThat(next()).isEqualTo("snapshot 1 [+a 1]");
        feed.step(TestRows.batch("-a 1", "+a 2"));
        assertThat(next()).isEqualTo("changes 2 [-a 1, +a 2]");
        feed.step();
        assertThat(next()).isEqualTo("progress 3");
        feed.restartAt(1);
        assertThat(next()).isEqualTo("ended restarted");
    }

    @Test
    void rowsBeyondOneMessageArriveWhole() throws InterruptedException {
        String[] rows = IntStream.range(0, 200_000)
                .mapToObj(i -> "+name-of-some-length-" + i + " " + i)
                .toArray(String[]::new);
        Batch many = TestRows.batch(rows);
        feed.step(many);
        BlockingQueue<Batch> snapshots = new LinkedBlockingQueue<>();
        remote.follow("v", ShareFeed.FROM_SNAPSHOT, new TextShareListener(told::add) {
            @Override
            public void snapshot(long step, Batch batch) {
                snapshots.add(batch);
            }
        });
        Batch arrived = snapshots.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertThat(arrived).as("the snapshot within %d s", LIMIT_SECONDS).isNotNull();
        assertThat(arrived.rowCount()).isEqualTo(200_000);
        assertThat(TestRows.texts(arrived)).isEqualTo(TestRows.texts(many));
    }

    @Test
    void whatCanNotBeFollowedHasEnded() throws InterruptedException {
        remote.follow("w", 0, new TextShareListener(told::add));
        assertThat(next()).startsWith("ended").contains("There is no view w");
        feed.beginLife(2);
        remote.follow("v", 1, 0, new TextShareListener(told::add));
        assertThat(next()).startsWith("ended").contains("This is life 2, not 1");
        feed.step();
        feed.step();
        feed.forgetBefore(2);
        remote.follow("v", 0, new TextShareListener(told::add));
        assertThat(next()).isEqualTo("expired 2");
        channel.shutdownNow();
        remote.follow("v", 0, new TextShareListener(told::add));
        assertThat(next()).startsWith("ended");
    }

    @Test
    void aProcessThatDoesNotListenYetIsWaitedFor() throws Exception {
        String name = InProcessServerBuilder.generateName();
        ManagedChannel early = InProcessChannelBuilder.forName(name).build();
        Server late = InProcessServerBuilder.forName(name)
                .addService(new SharesService(feed, executor, () -> 1, WAITING_BYTES_MAX))
                .build();
        try {
            feed.step(TestRows.batch("+a 1"));
            new RemoteShareFeed(early, view -> TestRows.SCHEMA)
                    .follow("v", ShareFeed.FROM_SNAPSHOT, new TextShareListener(told::add));
            awaitFailure(early);
            late.start();
            early.resetConnectBackoff();
            assertThat(next()).isEqualTo("snapshot 1 [+a 1]");
        } finally {
            early.shutdownNow();
            late.shutdownNow();
        }
    }

    private static void awaitFailure(ManagedChannel channel) throws InterruptedException {
        for (ConnectivityState state = channel.getState(true);
                state != ConnectivityState.TRANSIENT_FAILURE;
                state = channel.getState(true)) {
            CountDownLatch changed = new CountDownLatch(1);
            channel.notifyWhenStateChanged(state, changed::countDown);
            assertThat(changed.await(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as("another state than %s within %d s", state, LIMIT_SECONDS)
                    .isTrue();
        }
    }

    @Test
    void aReaderThatIsTooSlowIsToldSo() throws InterruptedException {
        CountDownLatch reads = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(1);
        // Before the share is followed, so that each run has the same order: the step, and that nothing else is there.
        feed.step(TestRows.batch("+a 1"));
        remote.follow("v", 0, new TextShareListener(told::add) {
            @Override
            public void changes(long step, Batch rows) {
                blocked.countDown();
                try {
                    reads.await();
                } catch (InterruptedException ended) {
                    Thread.currentThread().interrupt();
                }
                super.changes(step, rows);
            }
        });
        assertThat(blocked.await(LIMIT_SECONDS, TimeUnit.SECONDS))
                .as("the reader stands still")
                .isTrue();
        for (int i = 0; i < 500; i++) {
            feed.step(TestRows.batch("+a " + i));
        }
        reads.countDown();
        String last = next();
        int steps = 0;
        while (!last.startsWith("ended")) {
            assertThat(last).satisfiesAnyOf(told -> assertThat(told).startsWith("changes"), told -> assertThat(told)
                    .isEqualTo("progress 1"));
            steps += last.startsWith("changes") ? 1 : 0;
            last = next();
        }
        assertThat(last).startsWith("ended The reader is too slow");
        assertThat(steps).as("steps before the end").isLessThan(500);
    }
}
