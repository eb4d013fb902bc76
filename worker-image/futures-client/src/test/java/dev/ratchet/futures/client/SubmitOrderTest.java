/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.code.ResultReader;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.client.v1.SubmitReply;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.State;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a submit waits for: for what it needs, and for nothing else. */
class SubmitOrderTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int FUTURES = 300;

    private final SystemEnvironment environment = new SystemEnvironment();
    private final List<FutureId> recorded = Collections.synchronizedList(new ArrayList<>());
    private ServedGateway served;
    private Submitter submitter;

    /** Records what comes, and says that it has ended. */
    private final class Recording extends AnsweringGateway {
        @Override
        public void submit(SubmitRequest request, StreamObserver<SubmitReply> client) {
            SubmitReply.Builder reply = SubmitReply.newBuilder();
            for (SubmittedFuture future : request.getFuturesList()) {
                recorded.add(Ids.of(future.getId()));
                reply.addOutcomes(Outcome.newBuilder().setId(future.getId()).setState(State.STATE_REALIZED));
            }
            client.onNext(reply.build());
            client.onCompleted();
        }
    }

    @BeforeEach
    void start() throws IOException {
        served = ServedGateway.of(new Recording(), environment, Duration.ofSeconds(20));
        Completions completions = new Completions(served.connection(), ResultReader.OF_TASKS);
        submitter = new Submitter(served.connection(), completions, true);
    }

    @AfterEach
    void stop() {
        served.close();
        environment.close();
    }

    @Test
    void whatIsStillUploadedHoldsUpNothingElse() {
        List<CompletableFuture<Void>> uploads = new ArrayList<>();
        List<PendingSubmit> uploading = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            uploads.add(new CompletableFuture<>());
            uploading.add(submit(uploads.getLast(), List.of(), ByteString.EMPTY));
        }
        PendingSubmit other = submit(CompletableFuture.completedFuture(null), List.of(), ByteString.EMPTY);

        assertThat(other.submitted()).succeedsWithin(LIMIT);

        assertThat(uploading).noneMatch(pending -> pending.submitted().isDone());
        uploads.forEach(upload -> upload.complete(null));
        assertThat(submitter.flushed()).succeedsWithin(LIMIT);
        // Each is told after its message has left what is flushed.
        assertThat(uploading)
                .allSatisfy(pending -> assertThat(pending.submitted()).succeedsWithin(LIMIT));
    }

    /**
     * Futures with random upstreams and actors, some of which wait for uploads that end in random order, some of them
     * badly.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void eachIsSentOnceAfterItsUpstreamsAndTheCallsBeforeItAndWaitsForNoOtherUpload(long seed) {
        Random random = new Random(seed);
        List<PendingSubmit> all = new ArrayList<>();
        List<BitSet> needs = new ArrayList<>();
        List<CompletableFuture<Void>> uploads = new ArrayList<>();
        BitSet open = new BitSet();
        for (int i = 0; i < FUTURES; i++) {
            BitSet needed = new BitSet();
            for (int upstreams = random.nextInt(3); i > 0 && upstreams > 0; upstreams--) {
                needed.set(random.nextInt(i));
            }
            List<FutureId> upstreams =
                    needed.stream().mapToObj(number -> all.get(number).id()).toList();
            ByteString actor =
                    random.nextInt(4) == 0 ? ByteString.copyFromUtf8("actor " + random.nextInt(3)) : ByteString.EMPTY;
            for (int call = i - 1; call >= 0 && !actor.isEmpty(); call--) {
                if (all.get(call).future().getActor().equals(actor)) {
                    needed.set(call);
                }
            }
            open.set(i, random.nextInt(10) == 0);
            uploads.add(open.get(i) ? new CompletableFuture<>() : CompletableFuture.completedFuture(null));
            all.add(submit(uploads.get(i), upstreams, actor));
            needs.add(needed);
        }
        BitSet failed = new BitSet();
        while (!open.isEmpty()) {
            assertWaiting(all, needs, open, "seed " + seed + " uploads " + open);
            int ended = open.stream()
                    .skip(random.nextInt(open.cardinality()))
                    .findFirst()
                    .orElseThrow();
            open.clear(ended);
            failed.set(ended, random.nextInt(5) == 0);
            if (failed.get(ended)) {
                uploads.get(ended).completeExceptionally(new IOException("the upload has failed"));
            } else {
                uploads.get(ended).complete(null);
            }
        }
        assertThat(submitter.flushed()).as("seed " + seed).succeedsWithin(LIMIT);

        assertThat(recorded).as("seed " + seed).doesNotHaveDuplicates().hasSize(FUTURES - failed.cardinality());
        for (int i = 0; i < FUTURES; i++) {
            int place = recorded.indexOf(all.get(i).id());
            assertThat(place < 0).as("seed " + seed + " future " + i).isEqualTo(failed.get(i));
            if (place >= 0) {
                assertThat(needs.get(i).stream())
                        .as("seed " + seed + " future " + i)
                        .allMatch(needed -> recorded.indexOf(all.get(needed).id()) < place);
            }
        }
    }

    private void assertWaiting(List<PendingSubmit> all, List<BitSet> needs, BitSet open, String when) {
        BitSet waiting = new BitSet();
        for (int i = 0; i < all.size(); i++) {
            waiting.set(i, open.get(i) || needs.get(i).intersects(waiting));
            if (waiting.get(i)) {
                assertThat(all.get(i).submitted().isDone())
                        .as(when + " future " + i)
                        .isFalse();
            } else {
                assertThat(all.get(i).submitted().handle((done, failure) -> true))
                        .as(when + " future " + i)
                        .succeedsWithin(LIMIT);
            }
        }
    }

    private PendingSubmit submit(CompletableFuture<Void> ready, List<FutureId> upstreams, ByteString actor) {
        FutureId id = FutureId.random();
        PendingSubmit pending = new PendingSubmit(
                id,
                SubmittedFuture.newBuilder()
                        .setId(Ids.bytes(id))
                        .setActor(actor)
                        .addAllUpstreams(upstreams.stream().map(Ids::bytes).toList())
                        .build(),
                SubmittedFunction.getDefaultInstance(),
                ready,
                new CompletableFuture<>());
        submitter.submit(pending);
        return pending;
    }
}
