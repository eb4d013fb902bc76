/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.submit;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.submit.Submission.Submitted;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedBlock;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.ResultRun;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Requests of many clients that come while others are run and recorded wait for the next transaction and share it, as
 * commits share a write to the disk: a lone one waits for nothing, and the more there are, the less each costs. What
 * becomes of one in a group is what would become of it alone: a group that fails is made again one by one. Tenants take
 * turns, and bulk travels in groups of its own, of which there is always one fewer than may be under way: so a request
 * waits behind what others submit for about as long as a transaction takes. Safe for use by several threads.
 */
public final class SubmitGroups {

    private static final int BYTES_MAX = 800_000;

    /** Of a group of bulk while another tenant waits. */
    private static final int SHARED_BYTES_MAX = 200_000;

    /** Futures of a request, those of blocks included, beyond which it is bulk. */
    private static final int SINGLE_FUTURES_MAX = 32;

    /** Bytes of a request beyond which it is bulk. */
    private static final int SINGLE_BYTES_MAX = 32_768;

    /**
     * Groups that begin with a speculative request, for each of the others: whoever has the value goes on while it is
     * being recorded, so that one caller has several requests under way.
     */
    private static final int SPECULATIVE_EACH = 8;

    /** Requests of one tenant that wait; more are recorded each by itself. */
    private static final int WAITING_MAX = 1_000;

    /** Records a request. */
    @FunctionalInterface
    public interface Recording {
        /**
         * Completes when the request is recorded.
         *
         * @param waiter seat whose clients are to be told of the outcomes, if any
         */
        CompletableFuture<Submitted> record(SubmitRequest request, Optional<String> waiter);
    }

    /** Runs a request, tells of values where that is asked for, and records it. */
    @FunctionalInterface
    public interface Running {
        /** As {@link Recording#record}. */
        CompletableFuture<Submitted> run(SubmitRequest request, Optional<String> waiter, SpeculativeValues client);
    }

    /**
     * @param ids of the futures and blocks in it
     * @param bulk whether it is much work
     */
    private record Waiting(
            SubmitRequest request,
            Optional<String> waiter,
            SpeculativeValues client,
            Set<FutureId> ids,
            boolean bulk,
            CompletableFuture<Submitted> submitted) {}

    private final Running together;
    private final Recording alone;
    private final int groupsMax;
    private final Executor executor;
    /** By tenant, whose turn it is first. */
    private final Map<String, Deque<Waiting>> waiting = new LinkedHashMap<>();

    private int groups;
    private int bulkGroups;
    private int speculativeGroups;

    /**
     * @param together runs and records what it is given
     * @param alone records what is not run, or not any more
     * @param groupsMax how many are under way at most
     * @param executor begins what is much work, for which the thread that has told an outcome may have no time
     */
    public SubmitGroups(Running together, Recording alone, int groupsMax, Executor executor) {
        this.together = together;
        this.alone = alone;
        this.groupsMax = groupsMax;
        this.executor = executor;
    }

    /**
     * Records a request that was never made before.
     *
     * @param client is told of the values of this request that are not recorded yet
     * @throws IllegalArgumentException if it has unusable ids
     */
    public CompletableFuture<Submitted> submit(
            SubmitRequest request, Optional<String> waiter, SpeculativeValues client) {
        Waiting next = new Waiting(request, waiter, client, ids(request), isBulk(request), new CompletableFuture<>());
        synchronized (this) {
            Deque<Waiting> own = waiting.computeIfAbsent(tenant(request), unused -> new ArrayDeque<>());
            if (own.size() >= WAITING_MAX) {
                return alone.record(request, waiter);
            }
            own.add(next);
        }
        beginSome();
        return next.submitted();
    }

    /** How many requests wait for the next transaction. */
    public synchronized int waiting() {
        return waiting.values().stream().mapToInt(Deque::size).sum();
    }

    /** A program is of one tenant, as a rule. */
    private static String tenant(SubmitRequest request) {
        return request.getFuturesCount() > 0
                ? request.getFutures(0).getSchedulingSpec().getTenant()
                : request.getBlocksCount() > 0
                        ? request.getBlocks(0).getCommon().getSchedulingSpec().getTenant()
                        : "";
    }

    private static Set<FutureId> ids(SubmitRequest request) {
        Set<FutureId> ids = new HashSet<>();
        request.getFuturesList().forEach(future -> ids.add(BlockIds.sentAs(Ids.of(future.getId()))));
        request.getBlocksList()
                .forEach(block -> ids.add(Ids.of(block.getCommon().getId())));
        return ids;
    }

    private void beginSome() {
        for (List<Waiting> group = next(); !group.isEmpty(); group = next()) {
            begin(group);
        }
    }

    private synchronized boolean littleWaits() {
        return waiting.isEmpty()
                || (waiting() == 1
                        && Submission.isSmall(
                                waiting.values().iterator().next().getFirst().request()));
    }

    /** Those that have waited longest, of each tenant in turn, and fit into one transaction; none if none may begin. */
    private synchronized List<Waiting> next() {
        Optional<String> begins = waiting.entrySet().stream()
                .filter(tenant -> mayBegin(tenant.getValue().getFirst()))
                .map(Map.Entry::getKey)
                .findFirst();
        if (begins.isEmpty()) {
            return List.of();
        }
        Waiting first = take(begins.get());
        count(first, 1);
        Group group = new Group(first, first.bulk() && othersThan(begins.get()) ? SHARED_BYTES_MAX : BYTES_MAX);
        boolean more = true;
        while (more) {
            more = false;
            for (String tenant : List.copyOf(waiting.keySet())) {
                Deque<Waiting> own = waiting.get(tenant);
                if (own != null && group.takes(own.getFirst())) {
                    group.add(take(tenant));
                    more = true;
                }
            }
        }
        return group.requests;
    }

    private boolean othersThan(String tenant) {
        return waiting.keySet().stream().anyMatch(other -> !other.equals(tenant));
    }

    /** The request of a tenant that has waited longest; it is another one's turn then. */
    private Waiting take(String tenant) {
        Deque<Waiting> own = Objects.requireNonNull(waiting.remove(tenant));
        Waiting head = own.remove();
        if (!own.isEmpty()) {
            waiting.put(tenant, own);
        }
        return head;
    }

    /** What goes into one transaction. */
    private static final class Group {
        private final List<Waiting> requests = new ArrayList<>();
        private final Set<FutureId> ids = new HashSet<>();
        private final int bytesMax;
        private int futures;
        private int blocks;
        private int upstreams;
        private int bytes;

        Group(Waiting first, int bytesMax) {
            this.bytesMax = bytesMax;
            add(first);
        }

        void add(Waiting one) {
            requests.add(one);
            ids.addAll(one.ids());
            futures += one.request().getFuturesCount();
            blocks += one.request().getBlocksCount();
            upstreams += Submission.upstreams(one.request());
            bytes += one.request().getSerializedSize();
        }

        boolean takes(Waiting one) {
            SubmitRequest request = one.request();
            return isLike(requests.getFirst(), one)
                    && futures + request.getFuturesCount() <= Submission.REQUEST_FUTURES_MAX
                    && blocks + request.getBlocksCount() <= Submission.REQUEST_BLOCKS_MAX
                    && upstreams + Submission.upstreams(request) <= Submission.REQUEST_UPSTREAMS_MAX
                    && bytes + request.getSerializedSize() <= bytesMax
                    && Collections.disjoint(ids, one.ids());
        }
    }

    /** Bulk leaves one group to the others, where there may be several. */
    private boolean mayBegin(Waiting head) {
        return isSpeculative(head)
                ? speculativeGroups < SPECULATIVE_EACH * groupsMax
                : groups < groupsMax && !(head.bulk() && groupsMax > 1 && bulkGroups >= groupsMax - 1);
    }

    /** Counts a group by its first request. */
    private void count(Waiting head, int change) {
        if (isSpeculative(head)) {
            speculativeGroups += change;
        } else {
            groups += change;
            bulkGroups += head.bulk() ? change : 0;
        }
    }

    private static boolean isBulk(SubmitRequest request) {
        return request.getFuturesCount()
                                + request.getBlocksList().stream()
                                        .mapToInt(SubmittedBlock::getFutures)
                                        .sum()
                        > SINGLE_FUTURES_MAX
                || request.getSerializedSize() > SINGLE_BYTES_MAX;
    }

    private static boolean isSpeculative(Waiting one) {
        return one.client() != SpeculativeValues.NOBODY;
    }

    private static boolean isLike(Waiting one, Waiting other) {
        return one.bulk() == other.bulk()
                && one.waiter().equals(other.waiter())
                && one.request().getLostAttempts() == other.request().getLostAttempts();
    }

    private void begin(List<Waiting> group) {
        CompletableFuture<Submitted> recorded = GuardedCallbacks.begin(
                () -> together.run(merged(group), group.getFirst().waiter(), clients(group)));
        recorded.whenComplete((submitted, failure) -> {
            synchronized (this) {
                count(group.getFirst(), -1);
            }
            if (littleWaits()) {
                GuardedCallbacks.run("recording what waits", this::beginSome);
            } else {
                executor.execute(this::beginSome);
            }
            end(group, submitted, failure);
        });
    }

    /** Each is told its own. */
    private static SpeculativeValues clients(List<Waiting> group) {
        List<Waiting> asking =
                group.stream().filter(SubmitGroups::isSpeculative).toList();
        if (group.size() == 1 || asking.isEmpty()) {
            return group.getFirst().client();
        }
        return values -> asking.forEach(one -> {
            Map<FutureId, ByteString> own = new HashMap<>(values);
            own.keySet().retainAll(one.ids());
            if (!own.isEmpty()) {
                one.client().told(own);
            }
        });
    }

    private static SubmitRequest merged(List<Waiting> group) {
        SubmitRequest first = group.getFirst().request();
        if (group.size() == 1) {
            return first;
        }
        Map<ByteString, SubmittedFunction> functions = new LinkedHashMap<>();
        List<SubmittedFuture> futures = new ArrayList<>();
        List<SubmittedBlock> blocks = new ArrayList<>();
        boolean mayNameKnown = false;
        for (Waiting one : group) {
            mayNameKnown |= one.request().getMayNameKnown();
            one.request().getFunctionsList().forEach(function -> functions.put(function.getDigest(), function));
            futures.addAll(one.request().getFuturesList());
            blocks.addAll(one.request().getBlocksList());
        }
        return first.toBuilder()
                .setMayNameKnown(mayNameKnown)
                .clearFunctions()
                .addAllFunctions(functions.values())
                .clearFutures()
                .addAllFutures(futures)
                .clearBlocks()
                .addAllBlocks(blocks)
                .build();
    }

    private void end(List<Waiting> group, @Nullable Submitted submitted, @Nullable Throwable failure) {
        for (Waiting one : group) {
            if (submitted != null) {
                one.submitted().complete(group.size() == 1 ? submitted : part(submitted, one.ids()));
            } else if (group.size() == 1) {
                one.submitted().completeExceptionally(Objects.requireNonNull(failure));
            } else {
                again(one);
            }
        }
    }

    /** As its client would, who is not told: with the attempt that was lost. */
    private void again(Waiting one) {
        SubmitRequest request = one.request().toBuilder()
                .setMayRunFirst(false)
                .setLostAttempts(1)
                .build();
        GuardedCallbacks.begin(() -> alone.record(request, one.waiter())).whenComplete((submitted, failure) -> {
            if (failure == null) {
                one.submitted().complete(submitted);
            } else {
                one.submitted().completeExceptionally(failure);
            }
        });
    }

    /** What of it is about some futures and blocks, and about futures that have left those blocks. */
    private static Submitted part(Submitted all, Set<FutureId> ids) {
        Map<FutureId, FutureRecord> done = new LinkedHashMap<>();
        all.done().forEach((id, record) -> {
            if (ids.contains(BlockIds.sentAs(id))) {
                done.put(id, record);
            }
        });
        Map<FutureId, List<ResultRun>> results = new HashMap<>(all.results());
        results.keySet().retainAll(ids);
        return new Submitted(
                all.refusals().stream()
                        .filter(refusal -> ids.contains(BlockIds.sentAs(Ids.of(refusal.getId()))))
                        .toList(),
                done,
                results);
    }
}
