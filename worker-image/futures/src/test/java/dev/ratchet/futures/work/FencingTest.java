/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.Result;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.store.EmbeddedDatabaseSupplier;
import dev.ratchet.store.environment.SystemEnvironment;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A claim protects exactly as long as it is in force, seen from the store alone: nobody here knows any clock. */
class FencingTest {

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Database database = new EmbeddedDatabaseSupplier(environment).get();
    private final FutureStore store =
            new FutureStore(database, new FutureKeys(new Keyspace("test/fencing")), environment);
    private final Recorder recorder = new Recorder(store.keys(), environment, "w-0");
    private final Dependents dependents = new Dependents(store.keys(), environment.random());
    private final Reconstruction reconstruction = new Reconstruction(store, recorder, dependents);
    private final Submission submission = new Submission(store, recorder, dependents, reconstruction);

    @AfterEach
    void close() {
        environment.close();
    }

    @Test
    void theOutcomeOfAClaimThatWasTakenOverIsRefused() {
        FutureId id = submit(3);
        Claimed stale = claimer("w-0").claim(10).join().get(0);
        assertThat(takeover().release("w-0", 1).join()).isEqualTo(1);
        Claimed fresh = claimer("w-1").claim(10).join().get(0);
        assertThat(settler("w-1").record(fresh, value("new")).join()).isTrue();

        assertThat(settler("w-0").record(stale, value("old")).join()).isFalse();

        assertThat(record(id).getResult().getInline().toStringUtf8()).isEqualTo("new");
        assertThat(record(id).getEpoch()).isEqualTo(2);
        assertThat(record(id).getNumAttempts()).isEqualTo(2);
    }

    @Test
    void anOutcomeThatComesWhileAnotherWorkerRunsTheTaskIsRefused() {
        FutureId id = submit(3);
        Claimed stale = claimer("w-0").claim(10).join().get(0);
        takeover().release("w-0", 1).join();
        Claimed fresh = claimer("w-1").claim(10).join().get(0);

        assertThat(settler("w-0").record(stale, value("old")).join()).isFalse();

        assertThat(record(id).getState()).isEqualTo(State.STATE_CLAIMED);
        assertThat(record(id).getClaim()).isEqualTo(fresh.token());
    }

    @Test
    void recordingAnOutcomeTwiceIsRecordingItOnce() {
        FutureId id = submit(3);
        Claimed claim = claimer("w-0").claim(10).join().get(0);

        assertThat(settler("w-0").record(claim, value("once")).join()).isTrue();
        assertThat(settler("w-0").record(claim, value("once")).join()).isTrue();

        assertThat(record(id).getState()).isEqualTo(State.STATE_REALIZED);
        assertThat(count("realized", "w-0")).isEqualTo(1);
    }

    @Test
    void aLostWorkerCountsAsAnAttemptUntilNoneIsLeft() {
        FutureId id = submit(1);
        claimer("w-0").claim(10).join();
        takeover().release("w-0", 1).join();
        assertThat(record(id).getState()).isEqualTo(State.STATE_QUEUED);
        claimer("w-0").claim(10).join();

        takeover().release("w-0", 1).join();

        assertThat(record(id).getState()).isEqualTo(State.STATE_FAILED);
        assertThat(record(id).getNumAttempts()).isEqualTo(2);
        assertThat(record(id).getFailure().getMessage()).contains("was lost while it had the task");
    }

    @Test
    void whatIsGivenBackDoesNotCount() {
        FutureId id = submit(0);
        for (int i = 0; i < 5; i++) {
            Claimed claim = claimer("w-0").claim(10).join().get(0);
            settler("w-0").record(claim, new Outcome.GivenBack()).join();
        }

        assertThat(record(id).getState()).isEqualTo(State.STATE_QUEUED);
        assertThat(record(id).getNumAttempts()).isZero();
        assertThat(record(id).getEpoch()).isEqualTo(5);
    }

    @Test
    void aCancelledFutureLeavesNothingToClaim() {
        FutureId id = submit(0);

        cancellation().cancel(List.of(id)).join();

        assertThat(claimer("w-0").claim(10).join()).isEmpty();
        assertThat(claimer("w-0").becomeIdle().join())
                .as("its entry is gone too")
                .isTrue();
        assertThat(record(id).getState()).isEqualTo(State.STATE_CANCELLED);
    }

    @Test
    void twoClaimersNeverGetTheSameFuture() {
        for (int i = 0; i < 50; i++) {
            submit(0);
        }
        CompletableFuture<List<Claimed>> one = claimer("w-0").claim(50);
        CompletableFuture<List<Claimed>> other = claimer("w-1").claim(50);

        List<Claimed> all = new java.util.ArrayList<>(one.join());
        all.addAll(other.join());

        assertThat(all).extracting(Claimed::id).doesNotHaveDuplicates().hasSize(50);
    }

    private FutureId submit(int maxRetries) {
        FutureId id = FutureId.random();
        submission
                .submit(
                        SubmitRequest.newBuilder()
                                .addFutures(SubmittedFuture.newBuilder()
                                        .setId(Ids.bytes(id))
                                        .setJob("fencing")
                                        .setMaxRetries(maxRetries))
                                .build(),
                        Optional.empty())
                .join();
        return id;
    }

    private FutureRecord record(FutureId id) {
        return store.read(transaction -> store.keys().record(transaction, id))
                .join()
                .orElseThrow();
    }

    private long count(String what, String which) {
        byte[] value = store.read(
                        transaction -> transaction.get(store.keys().counts.key("fencing", what, which)))
                .join();
        return store.keys().counts.decode(value);
    }

    private Claimer claimer(String seat) {
        return new Claimer(store, new OpenSeat(seat));
    }

    private Settler settler(String seat) {
        return new Settler(store, new OpenSeat(seat), recorder, dependents, (id, record) -> {}, () -> {});
    }

    private Cancellation cancellation() {
        return new Cancellation(store, recorder, dependents, () -> {});
    }

    private Takeover takeover() {
        return new Takeover(store, new NoMembers(), new AllDead(), recorder, dependents, () -> {});
    }

    private static Outcome value(String text) {
        return new Outcome.Realized(
                Result.newBuilder().setInline(ByteString.copyFromUtf8(text)).build());
    }

    /** A seat that never objects: what remains is what the claim's token protects. */
    private record OpenSeat(String name) implements Seat {
        @Override
        public long incarnation() {
            return 1;
        }

        @Override
        public WorkerState state() {
            return WorkerState.HEALTHY;
        }

        @Override
        public boolean mayWork() {
            return true;
        }

        @Override
        public long validUntilNanos() {
            return Long.MAX_VALUE;
        }

        @Override
        public CompletableFuture<Void> fence(Transaction transaction) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> fenceForWork(Transaction transaction) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void holdsChanged() {}

        @Override
        public void addListener(Listener listener) {}
    }

    private static final class NoMembers implements Members {
        @Override
        public CompletableFuture<List<Member>> all(ReadTransaction transaction) {
            return CompletableFuture.completedFuture(List.of());
        }

        @Override
        public CompletableFuture<Optional<Member>> one(ReadTransaction transaction, String seat) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
    }

    private static final class AllDead implements Liveness {
        @Override
        public boolean isDead(String seat, long incarnation) {
            return true;
        }

        @Override
        public void suspect(String seat, long incarnation) {}

        @Override
        public List<Member> latest() {
            return List.of();
        }

        @Override
        public void addListener(DeathListener listener) {}
    }
}
