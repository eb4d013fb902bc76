/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.record.BlockContent;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Members;
import dev.ratchet.protocol.client.v1.FutureDescription;
import dev.ratchet.protocol.client.v1.JobStatus;
import dev.ratchet.protocol.client.v1.MemberStatus;
import dev.ratchet.protocol.client.v1.SeatCount;
import dev.ratchet.protocol.client.v1.StateCount;
import dev.ratchet.protocol.client.v1.StatusReply;
import dev.ratchet.protocol.client.v1.SummaryReply;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.ResultRun;
import dev.ratchet.protocol.futures.v1.State;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Answers questions about jobs, workers and single futures; each answer is exact at one version of the store. */
final class Queries {

    private static final int JOBS_MAX = 1_000;

    /** Counters read for one answer. */
    private static final int COUNTERS_MAX = 20_000;

    private final FutureStore store;
    private final Members members;
    private final WaitReasons reasons;

    Queries(FutureStore store, Members members) {
        this.store = store;
        this.members = members;
        this.reasons = new WaitReasons(store.keys(), members);
    }

    CompletableFuture<SummaryReply> summary(String job) {
        return store.read(
                        transaction -> counters(transaction, store.keys().counts.range(job)))
                .thenApply(counters -> summaries(counters)
                        .getOrDefault(job, SummaryReply.newBuilder())
                        .build());
    }

    /** Workers and jobs; the caller adds who it is. */
    CompletableFuture<StatusReply.Builder> status() {
        return store.read(transaction -> members.all(transaction)
                .thenCombine(counters(transaction, store.keys().counts.range()), (all, counters) -> {
                    StatusReply.Builder reply = StatusReply.newBuilder();
                    all.forEach(member -> reply.addMembers(member(member)));
                    addJobs(reply, counters);
                    return reply;
                }));
    }

    /** Of the job that is the last one where counters were left out, some may be among those. */
    private void addJobs(StatusReply.Builder reply, List<KeyValue> counters) {
        NavigableMap<String, SummaryReply.Builder> jobs = summaries(counters);
        boolean more = counters.size() == COUNTERS_MAX;
        if (more && jobs.size() > 1) {
            jobs.pollLastEntry();
        }
        jobs.entrySet().stream()
                .limit(JOBS_MAX)
                .forEach(job -> reply.addJobs(
                        JobStatus.newBuilder().setJob(job.getKey()).setSummary(job.getValue())));
        reply.setMoreJobs(more || jobs.size() > JOBS_MAX);
    }

    CompletableFuture<Optional<FutureRecord>> record(FutureId id) {
        return store.read(transaction -> store.keys().record(transaction, id))
                .thenApply(record -> record.filter(found -> !found.hasBlock()));
    }

    /** What is known of a future, and what it waits for. */
    CompletableFuture<FutureDescription> described(FutureId id) {
        return store.read(transaction -> store.keys().record(transaction, id).thenCompose(found -> {
            FutureRecord record = GatewayService.known(id, found.filter(some -> !some.hasBlock()));
            return reasons.of(transaction, id, record)
                    .thenApply(reason ->
                            describe(id, record).toBuilder().setWaitsFor(reason).build());
        }));
    }

    /** The results of a block. */
    CompletableFuture<List<ResultRun>> results(FutureId block) {
        return store.read(new BlockContent(store.keys(), block)::results);
    }

    CompletableFuture<Optional<Member>> member(String seat) {
        return store.read(transaction -> members.one(transaction, seat));
    }

    static FutureDescription describe(FutureId id, FutureRecord record) {
        FutureDescription.Builder description = FutureDescription.newBuilder()
                .setId(Ids.bytes(id))
                .setState(record.getState())
                .setName(record.getName())
                .setJob(record.getJob())
                .setAttempts(record.getNumAttempts())
                .setMaxRetries(record.getMaxRetries())
                .setReconstructions(record.getReconstructions())
                .setUpstreams(record.getUpstreams())
                .setSubmittedWallMillis(record.getSubmittedWallMillis())
                .setDoneWallMillis(record.getDoneWallMillis())
                .setClaimedWallMillis(record.getClaimedWallMillis())
                .setParent(record.getParent())
                .setTenant(SchedulingSpecs.tenant(record))
                .setPriority(record.getSchedulingSpec().getPriority())
                .setAssignedSeat(record.getAssignedSeat());
        if (record.hasClaim()) {
            description.setClaim(record.getClaim());
        }
        if (record.hasFailure()) {
            description.setFailure(record.getFailure());
        }
        if (record.getResult().hasObject()) {
            description.setValueBytes(record.getResult().getObject().getBytes());
            for (Copy copy : record.getResult().getObject().getCopiesList()) {
                description.addHolders(copy.getSeat());
            }
        } else {
            description.setValueBytes(record.getResult().getInline().size());
        }
        return description.build();
    }

    private static MemberStatus member(Member member) {
        return MemberStatus.newBuilder()
                .setSeat(member.seat())
                .setIncarnation(member.incarnation())
                .setState(member.ended() ? "ENDED" : member.state().name())
                .setAddress(member.address())
                .setHost(member.host())
                .setVersion(member.version())
                .setThreads(member.threads())
                .setClaims(member.holds().futures())
                .build();
    }

    private static CompletableFuture<List<KeyValue>> counters(ReadTransaction transaction, Range range) {
        return transaction
                .getRange(range, COUNTERS_MAX, false, StreamingMode.WANT_ALL)
                .asList();
    }

    private NavigableMap<String, SummaryReply.Builder> summaries(List<KeyValue> counters) {
        NavigableMap<String, SummaryReply.Builder> jobs = new TreeMap<>();
        for (KeyValue pair : counters) {
            Tuple key = store.keys().counts.elements(pair.getKey());
            long value = store.keys().counts.decode(pair.getValue());
            SummaryReply.Builder summary = jobs.computeIfAbsent(key.getString(0), job -> SummaryReply.newBuilder());
            switch (key.getString(1)) {
                case "state" -> {
                    State state = State.forNumber(Math.toIntExact(key.getLong(2)));
                    if (value != 0 && state != null) {
                        summary.addStates(
                                StateCount.newBuilder().setState(state).setFutures(value));
                    }
                }
                case "realized" ->
                    summary.addRealizedBySeat(
                            SeatCount.newBuilder().setSeat(key.getString(2)).setFutures(value));
                case "tenant" -> {}
                case "retried" -> summary.setRetried(value);
                case "recomputed" -> summary.setRecomputed(value);
                default -> throw new IllegalStateException("An unknown counter of a job: " + key);
            }
        }
        return jobs;
    }
}
