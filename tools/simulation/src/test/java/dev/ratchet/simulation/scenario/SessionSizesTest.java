/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import static dev.ratchet.simulation.scenario.SessionClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.client.simulated.SimulatedTask.Kind;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.protocol.client.v1.AttachReply;
import dev.ratchet.protocol.client.v1.AttachRequest;
import dev.ratchet.protocol.client.v1.DetachReply;
import dev.ratchet.protocol.client.v1.DetachRequest;
import dev.ratchet.protocol.client.v1.SubmitReply;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.futures.v1.SessionBinding;
import dev.ratchet.protocol.sessions.v1.SessionFailureReason;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.simulation.store.SimulatedStore;
import dev.ratchet.simulation.store.StoreFaults;
import dev.ratchet.simulation.world.VirtualProcess;
import dev.ratchet.store.transaction.CommitRequest;
import dev.ratchet.store.transaction.Limits;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many sessions, and one of many futures. More of them: {@code -Dratchet.races=10000 -Dratchet.sessionFutures=100000}.
 */
class SessionSizesTest {

    private static final int RACES = Integer.getInteger("ratchet.races", 1_000);
    private static final int FUTURES = Integer.getInteger("ratchet.sessionFutures", 10_000);

    private static final long CREATION_MILLIS = 30;
    private static final int TOGETHER = 500;

    /** The most tasks that run at once: those behind them do not begin, and may be alike. */
    private static final int RUNNING_MAX = 100;

    @TempDir
    Path directory;

    private FuturesCluster futures;
    private SessionClient client;
    private int races;
    private long granted;
    private long timedOut;
    private long token;
    private boolean submitted;

    @Test
    @DisplayName("T4: a grant that races a creation timeout has one outcome, and no slot is lost")
    void aGrantThatRacesACreationTimeoutHasOneOutcomeAndNoSlotIsLost() {
        try (FuturesCluster cluster = new FuturesCluster(4, 1, directory)) {
            begin(cluster);
            cluster.cluster.engine.setFaults(new StoreFaults(10, 10, 5, 5, 3));
            client.process.executor().execute(this::hold);
            cluster.cluster.world.until("all races are over", RACES * 2_000L, () -> races > RACES);
            cluster.cluster.engine.setFaults(StoreFaults.NONE);
            cluster.cluster.world.until("nothing is held or waits", 60_000, client::isIdle);

            System.out.println(
                    RACES + " races of a grant with a creation timeout: " + granted + " granted, " + timedOut + " not");
            assertThat(granted).as("races that the grant has won").isGreaterThan(RACES / 10);
            assertThat(timedOut).as("races that the timeout has won").isGreaterThan(RACES / 10);
            assertThat(token)
                    .as("how often the slot was granted: once for each session that was told so")
                    .isEqualTo(1 + granted + timedOut);
        }
    }

    /** Somebody has the slot, for which another one is to wait. */
    private void hold() {
        UUID holder = client.newId();
        client.open(request(holder, 1, 60_000).build(), session -> {
            assertThat(session.getState()).isEqualTo(SessionState.SESSION_STATE_OPEN);
            opened(session);
            race(holder);
        });
    }

    private void opened(SessionRecord session) {
        assertThat(session.getSlots(0).getToken()).as("the token of the slot").isGreaterThan(token);
        token = session.getSlots(0).getToken();
    }

    private void race(UUID holder) {
        races++;
        if (races > RACES) {
            client.close(holder, () -> {});
            return;
        }
        UUID next = client.newId();
        SessionRecord[] answer = new SessionRecord[1];
        boolean[] closed = new boolean[1];
        Runnable ended = () -> {
            if (closed[0] && answer[0] != null) {
                raced(next, answer[0]);
            }
        };
        client.open(request(next, 1, CREATION_MILLIS).build(), session -> {
            answer[0] = session;
            ended.run();
        });
        long millis = futures.cluster.world.random().nextLong(2 * CREATION_MILLIS);
        client.process.schedule(
                millis,
                () -> client.close(holder, () -> {
                    closed[0] = true;
                    ended.run();
                }));
    }

    private void raced(UUID next, SessionRecord session) {
        switch (session.getState()) {
            case SESSION_STATE_OPEN -> {
                granted++;
                opened(session);
                race(next);
            }
            case SESSION_STATE_CREATION_TIMED_OUT -> {
                timedOut++;
                hold();
            }
            default -> throw new AssertionError("Neither granted nor too late: " + session);
        }
    }

    @Test
    @DisplayName("T20: a session of many futures fails at once, and no transaction that ends them is large")
    void aSessionOfManyFuturesFailsAtOnceAndByNoLargeTransaction() {
        try (FuturesCluster cluster = new FuturesCluster(20, 1, directory)) {
            begin(cluster);
            Commits commits = new Commits();
            cluster.cluster.engine.addObserver(commits);
            UUID owner = client.newId();
            UUID session = client.newId();
            client.process.executor().execute(() -> attach(owner, session));
            cluster.cluster.world.until("all futures are submitted", FUTURES * 10L + 60_000, () -> submitted);
            assertThat(client.futures(FUTURES)).isEqualTo(FUTURES);
            commits.largest = 0;
            client.process.executor().execute(() -> detach(owner));
            long millis = cluster.cluster.world.until(
                    "the session has failed",
                    10_000,
                    () -> client.record(session).getState() == SessionState.SESSION_STATE_FAILED);
            assertThat(client.futures(1))
                    .as("futures that are still to be ended")
                    .isOne();
            assertThat(millis).as("milliseconds until the session has failed").isLessThan(100);
            assertThat(client.record(session).getReason())
                    .isEqualTo(SessionFailureReason.SESSION_FAILURE_REASON_OWNER_LOST);

            cluster.cluster.world.until("nothing is left", FUTURES * 20L + 60_000, client::isIdle);
            for (int i = 0; i < FUTURES; i += Math.max(1, FUTURES / 100)) {
                assertThat(cluster.record(future(i)).getFailure().getKind())
                        .as("future " + i)
                        .isEqualTo(FailureKind.FAILURE_KIND_SESSION);
            }
            System.out.println(FUTURES + " futures of a session that fails: " + millis
                    + " ms until it has, and at most " + commits.largest + " bytes in one transaction");
            assertThat(commits.largest).as("bytes of one transaction").isBetween(1L, Limits.TRANSACTION_BYTES_MAX / 4L);
        }
    }

    private static final class Commits implements SimulatedStore.Observer {
        private long largest;

        @Override
        public void committed(CommitRequest request, VirtualProcess by) {
            largest = Math.max(largest, request.sizeBytes());
        }

        @Override
        public void restarted(Map<byte[], byte[]> rows) {
            throw new AssertionError("Nobody has crashed the store");
        }
    }

    private void begin(FuturesCluster cluster) {
        futures = cluster;
        client = new SessionClient(cluster);
    }

    /** Has the cluster know a program, which opens a session once it does. */
    private void attach(UUID owner, UUID session) {
        AttachRequest request = AttachRequest.newBuilder()
                .setClient(SessionIds.bytes(owner))
                .setBegins(true)
                .build();
        boolean[] known = new boolean[1];
        client.<AttachReply>call(
                (stub, answer) -> stub.withDeadlineAfter(1, TimeUnit.DAYS).attach(request, answer), () -> {}, reply -> {
                    if (!known[0]) {
                        known[0] = true;
                        client.open(
                                request(session, 1, 60_000)
                                        .setOwner(SessionIds.bytes(owner))
                                        .build(),
                                opened -> submit(session, 0));
                    }
                });
    }

    private void detach(UUID owner) {
        DetachRequest request =
                DetachRequest.newBuilder().setClient(SessionIds.bytes(owner)).build();
        client.<DetachReply>call((stub, answer) -> stub.detach(request, answer), () -> detach(owner), reply -> {});
    }

    private static FutureId future(int number) {
        return new FutureId(new UUID(0x4000L, (1L + number) | Long.MIN_VALUE));
    }

    private void submit(UUID session, int from) {
        if (from >= FUTURES) {
            submitted = true;
            return;
        }
        SessionBinding binding = SessionBinding.newBuilder()
                .setId(SessionIds.bytes(session))
                .setSecret(SessionIds.bytes(session))
                .build();
        SubmitRequest.Builder together = SubmitRequest.newBuilder();
        Set<ByteString> functions = new HashSet<>();
        for (int i = from; i < Math.min(FUTURES, from + TOGETHER); i++) {
            SimulatedTask task = new SimulatedTask(10_000 + Math.min(i, RUNNING_MAX), 86_400_000, Kind.SMALL);
            SubmitRequest one = futures.client.request(future(i), task, binding);
            together.addFutures(one.getFutures(0));
            if (functions.add(one.getFunctions(0).getDigest())) {
                together.addFunctions(one.getFunctions(0));
            }
        }
        client.<SubmitReply>call(
                (stub, answer) -> stub.submit(together.build(), answer), () -> submit(session, from), reply -> {
                    assertThat(reply.getRefusalsList()).isEmpty();
                    submit(session, from + TOGETHER);
                });
    }
}
