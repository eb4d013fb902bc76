/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.ReadTransaction;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.claim.Claimer;
import dev.ratchet.futures.execute.SpeculativeAttempts;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.queue.RequirementClasses;
import dev.ratchet.futures.queue.Room;
import dev.ratchet.futures.queue.WorkQueue.Slice;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.recover.Reconstruction;
import dev.ratchet.futures.recover.Takeover;
import dev.ratchet.futures.settle.AntiAffinity;
import dev.ratchet.futures.settle.Cancellation;
import dev.ratchet.futures.settle.Dependents;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.futures.settle.OutcomeCommitter;
import dev.ratchet.futures.settle.Recorder;
import dev.ratchet.futures.submit.Submission;
import dev.ratchet.futures.upkeep.Unschedulable;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.OpenSeat;
import dev.ratchet.membership.ToldLiveness;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.client.v1.Refusal;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedBlock;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.Result;
import dev.ratchet.protocol.membership.v1.BeatRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The parts that work on the store, put together without workers: a test makes each step of the protocol itself. */
public final class StoreFixture implements AutoCloseable {

    public static final String JOB = "steps";

    private static final int SUBMITTED_AT_ONCE = 500;

    private final SystemEnvironment real = new SystemEnvironment();
    public final ShiftedEnvironment environment = new ShiftedEnvironment(real);
    public final FutureStore store;
    final List<Member> members = new ArrayList<>();
    final AntiAffinity elsewhere = new AntiAffinity(ToldLiveness.allDead(), environment.random());
    public final Recorder recorder;
    public final Dependents dependents;
    final Reconstruction reconstruction;
    final Submission submission;

    public StoreFixture() {
        this(UnaryOperator.identity());
    }

    /** @param wrapping wraps the database */
    public StoreFixture(UnaryOperator<Database> wrapping) {
        Database database = wrapping.apply(StoreUnderTest.open(real));
        store = new FutureStore(database, new FutureKeys(new Keyspace("test/steps")), environment);
        recorder = new Recorder(store.keys(), environment, "w-0", elsewhere);
        dependents = new Dependents(store.keys(), environment.random());
        reconstruction = new Reconstruction(store, recorder, dependents);
        submission = new Submission(store, recorder, dependents, reconstruction, new ListedMembers(members));
    }

    @Override
    public void close() {
        real.close();
    }

    public static Room room(int futures) {
        return new Room(futures, Capacity.ofThreads(futures), futures);
    }

    public FutureId submit(int maxRetries) {
        return submit(SubmitOptions.ofJob(JOB).withMaxRetries(maxRetries));
    }

    public FutureId submit(SubmitOptions options) {
        FutureId id = FutureId.random();
        List<Refusal> refusals = submit(id, options);
        if (!refusals.isEmpty()) {
            throw new IllegalStateException(refusals.get(0).getMessage());
        }
        return id;
    }

    /** So many futures that only differ by their ids, each of which is given these. */
    public List<FutureId> submitAll(int count, SubmitOptions options, FutureId... upstreams) {
        List<ByteString> given = Stream.of(upstreams).map(Ids::bytes).toList();
        List<FutureId> all = Stream.generate(FutureId::random).limit(count).toList();
        for (int from = 0; from < count; from += SUBMITTED_AT_ONCE) {
            SubmitRequest.Builder request = SubmitRequest.newBuilder();
            all.subList(from, Math.min(count, from + SUBMITTED_AT_ONCE))
                    .forEach(id -> request.addFutures(
                            submitted(id, options).toBuilder().addAllUpstreams(given)));
            List<Refusal> refusals =
                    submission.submit(request.build(), Optional.empty()).join().refusals();
            if (!refusals.isEmpty()) {
                throw new IllegalStateException(refusals.getFirst().getMessage());
            }
        }
        return all;
    }

    public List<Refusal> submit(FutureId id, SubmitOptions options) {
        return submission
                .submit(
                        SubmitRequest.newBuilder()
                                .addFutures(submitted(id, options))
                                .build(),
                        Optional.empty())
                .join()
                .refusals();
    }

    /** Records a future whose attempt goes on under this token, as a worker does that has run it first. */
    public void submitRunning(FutureId id, ClaimToken token) {
        SpeculativeAttempts early = new SpeculativeAttempts(
                new OpenSeat(token.getSeat()), token, recorder, Map.of(id, Optional.empty()), List.of());
        SubmitRequest request = SubmitRequest.newBuilder()
                .addFutures(submitted(id, SubmitOptions.ofJob(JOB)))
                .build();
        submission.submit(request, Optional.empty(), early).join();
    }

    /** Futures that wait in one block, with one retry each. */
    public List<FutureId> submitBlock(int futures) {
        FutureId block = BlockIds.of(UUID.randomUUID());
        SubmittedFuture common = SubmittedFuture.newBuilder()
                .setId(Ids.bytes(block))
                .setJob(JOB)
                .setMaxRetries(1)
                .build();
        SubmitRequest request = SubmitRequest.newBuilder()
                .addBlocks(SubmittedBlock.newBuilder().setCommon(common).setFutures(futures))
                .build();
        List<Refusal> refusals =
                submission.submit(request, Optional.empty()).join().refusals();
        if (!refusals.isEmpty()) {
            throw new IllegalStateException(refusals.get(0).getMessage());
        }
        return IntStream.rangeClosed(1, futures)
                .mapToObj(number -> BlockIds.future(block, number))
                .toList();
    }

    public static SubmittedFuture submitted(FutureId id, SubmitOptions options) {
        return SubmittedFuture.newBuilder()
                .setId(Ids.bytes(id))
                .setJob(options.job())
                .setSchedulingSpec(SchedulingSpecs.of(options))
                .setMaxRetries(options.retries().maxRetries())
                .build();
    }

    public FutureRecord record(FutureId id) {
        return store.read(transaction -> store.keys().record(transaction, id))
                .join()
                .orElseThrow();
    }

    long count(String what, String which) {
        byte[] value = store.read(
                        transaction -> transaction.get(store.keys().counts.key(JOB, what, which)))
                .join();
        return store.keys().counts.decode(value);
    }

    public Claimer claimer(String seat) {
        return claimer(seat, new Slice(0, 1, 1));
    }

    public Claimer claimer(String seat, Slice slice) {
        return new Claimer(store, new OpenSeat(seat), new RequirementClasses(store.keys()), () -> slice);
    }

    public OutcomeCommitter outcomeCommitter(String seat) {
        return new OutcomeCommitter(store, new OpenSeat(seat), recorder, dependents, (id, record) -> {});
    }

    Cancellation cancellation() {
        return new Cancellation(store, recorder, dependents);
    }

    Unschedulable unschedulable() {
        return new Unschedulable(store, new ListedMembers(members), recorder, dependents);
    }

    Members noMembers() {
        return members(List.of());
    }

    Members members(List<Member> recorded) {
        return new ListedMembers(recorded);
    }

    Takeover takeover() {
        return takeover(List.of());
    }

    /** By a worker that has observed the death of every seat, while the store says {@code recorded}. */
    Takeover takeover(List<Member> recorded) {
        return new Takeover(store, "", new ListedMembers(recorded), ToldLiveness.allDead(), recorder, dependents);
    }

    /** The first incarnation of a seat, in {@code state} as far as the store knows. */
    static Member member(String seat, WorkerState state) {
        return StoredMembers.member(
                seat,
                MemberRecord.newBuilder()
                        .setIncarnation(1)
                        .setState(StoredMembers.stored(state))
                        .setThreads(1)
                        .setObserverTtlMillis(15_000)
                        .build(),
                BeatRecord.getDefaultInstance());
    }

    /** Whether the mailbox of a seat holds a future. */
    boolean hasMail(String seat, FutureId id) {
        return store.read(transaction -> transaction.get(store.keys().mailbox.key(seat, id.value())))
                        .join()
                != null;
    }

    public static Outcome value(String text) {
        return new Outcome.Realized(
                Result.newBuilder().setInline(ByteString.copyFromUtf8(text)).build());
    }

    private record ListedMembers(List<Member> list) implements Members {
        @Override
        public CompletableFuture<List<Member>> all(ReadTransaction transaction) {
            return CompletableFuture.completedFuture(List.copyOf(list));
        }

        @Override
        public CompletableFuture<Optional<Member>> one(ReadTransaction transaction, String seat) {
            return CompletableFuture.completedFuture(
                    list.stream().filter(member -> member.seat().equals(seat)).findFirst());
        }
    }
}
