/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.FutureSet;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.AwaitRequest;
import dev.ratchet.protocol.client.v1.BlockOutcome;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.client.v1.OutcomeBatch;
import dev.ratchet.protocol.futures.v1.ResultRun;
import dev.ratchet.protocol.futures.v1.State;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that waits for more than a worker lets it wait for hears of all of it, and is never refused. */
class OutcomeFeedTest {

    private static final int LIMIT = 20;
    private static final int SINGLE = 100;
    private static final int BLOCKS = 10;
    private static final int FUTURES_OF_BLOCK = 7;

    private final SystemEnvironment environment = new SystemEnvironment();
    private final List<FutureId> told = Collections.synchronizedList(new ArrayList<>());
    private final List<RuntimeException> refusals = Collections.synchronizedList(new ArrayList<>());
    private final Worker worker = new Worker();

    @AfterEach
    void stop() {
        environment.close();
    }

    /** Refuses as workers do what is asked for beyond the limit; futures end when the test says so. */
    private static final class Worker extends AnsweringGateway {

        private final FutureSet asked = new FutureSet();
        private StreamObserver<OutcomeBatch> client;

        @Override
        public synchronized StreamObserver<AwaitRequest> await(StreamObserver<OutcomeBatch> caller) {
            asked.clear();
            client = caller;
            return new StreamObserver<>() {
                @Override
                public void onNext(AwaitRequest request) {
                    ask(caller, request);
                }

                @Override
                public void onError(Throwable failure) {}

                @Override
                public void onCompleted() {}
            };
        }

        private synchronized void ask(StreamObserver<OutcomeBatch> caller, AwaitRequest request) {
            if (caller != client) {
                return;
            }
            request.getIdsList().forEach(id -> asked.add(Ids.of(id)));
            request.getBlocksList().forEach(block -> asked.add(Ids.of(block.getId()), 1, block.getFutures()));
            if (asked.size() > LIMIT) {
                client = null;
                caller.onError(Status.RESOURCE_EXHAUSTED.asRuntimeException());
            }
        }

        /** Ends one of those that are waited for, or breaks the stream; whether there was any. */
        synchronized boolean act(Random random) {
            List<FutureId> open = asked.without(Set.of());
            if (client == null || open.isEmpty()) {
                return false;
            }
            if (random.nextInt(20) == 0) {
                client.onError(Status.UNAVAILABLE.asRuntimeException());
                client = null;
                return true;
            }
            FutureId id = open.get(random.nextInt(open.size()));
            asked.take(id);
            client.onNext(BlockIds.isInBlock(id) ? ofBlock(id) : single(id));
            return true;
        }

        private static OutcomeBatch single(FutureId id) {
            return OutcomeBatch.newBuilder()
                    .addOutcomes(Outcome.newBuilder().setId(Ids.bytes(id)).setState(State.STATE_REALIZED))
                    .build();
        }

        private static OutcomeBatch ofBlock(FutureId id) {
            return OutcomeBatch.newBuilder()
                    .addBlocks(BlockOutcome.newBuilder()
                            .setId(Ids.bytes(BlockIds.blockOf(id)))
                            .addRuns(ResultRun.newBuilder()
                                    .setFirst(BlockIds.number(id))
                                    .setFutures(1)))
                    .build();
        }
    }

    /** Notes what the client hears. */
    private final class Told implements OutcomeFeed.Sink {
        @Override
        public void done(FutureId id, Outcome outcome) {
            told.add(id);
        }

        @Override
        public void done(FutureId block, BlockOutcome outcome) {
            outcome.getRunsList().forEach(run -> told.add(BlockIds.future(block, run.getFirst())));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void whatIsBeyondTheLimitIsAskedForOnceOthersHaveEnded(long seed) throws IOException {
        Random random = new Random(seed);
        try (ServedGateway served = ServedGateway.of(worker, environment, Duration.ofSeconds(20))) {
            OutcomeFeed feed =
                    new OutcomeFeed(served.connection(), new Told(), (id, reason) -> refusals.add(reason), LIMIT);
            List<FutureId> expected = new ArrayList<>();
            for (int i = 0; i < SINGLE; i++) {
                expected.add(Ids.ofRandom(UUID.randomUUID()));
            }
            feed.await(expected.subList(0, SINGLE / 2));
            for (int i = 0; i < BLOCKS; i++) {
                FutureId block = BlockIds.of(UUID.randomUUID());
                for (int number = 1; number <= FUTURES_OF_BLOCK; number++) {
                    expected.add(BlockIds.future(block, number));
                }
                feed.await(List.of(), Map.of(block, FUTURES_OF_BLOCK));
            }
            feed.await(expected.subList(SINGLE / 2, SINGLE));

            Awaitility.await()
                    .alias("seed " + seed)
                    .atMost(Duration.ofMinutes(1))
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> {
                        while (worker.act(random)) {
                            assertThat(refusals).isEmpty();
                        }
                        return told.size() >= expected.size();
                    });
            assertThat(told).as("seed " + seed).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(refusals).isEmpty();
        }
    }
}
