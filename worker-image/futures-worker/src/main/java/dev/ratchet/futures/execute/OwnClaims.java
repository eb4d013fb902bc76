/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.claim.ClaimLoop;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Failures;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends claims that the store has of this incarnation and that nothing here carries through: the answer to the claim was
 * lost and its repetition refused, or the outcome could not be recorded. Nobody takes over from a worker that lives, so
 * such a future would never end. What two looks in a row find so, and no claim can still bring that was in flight at
 * the first, has failed as if its worker were lost: whether it was run nobody knows. Safe for use by several threads.
 */
final class OwnClaims {

    private static final Logger LOG = LoggerFactory.getLogger(OwnClaims.class);

    /** Claims read at once; a look reads all. */
    private static final int PAGE = 1_000;

    private final FutureStore store;
    private final Seat seat;
    private final Executions executions;
    private final ClaimLoop claims;
    private final Endings endings;
    private final AtomicBoolean looking = new AtomicBoolean();
    /** What the last look has found without an execution. */
    private volatile Map<FutureId, Suspect> suspects = Map.of();

    private volatile boolean mayHaveSome;

    /** @param round of the claim that may bring it yet */
    private record Suspect(ClaimToken token, long round) {}

    OwnClaims(FutureStore store, Seat seat, Executions executions, ClaimLoop claims, Endings endings) {
        this.store = store;
        this.seat = seat;
        this.executions = executions;
        this.claims = claims;
        this.endings = endings;
    }

    /** Something was claimed. */
    void claimed() {
        mayHaveSome = true;
    }

    /** Looks if something has gone wrong since the last look, or that has found something. */
    void lookIfInDoubt() {
        if (claims.takeDoubt() || !suspects.isEmpty()) {
            var unused = look();
        }
    }

    /** Looks, unless there was none at the last look and nothing was claimed since: idle workers read nothing. */
    void lookIfWorking() {
        if (mayHaveSome) {
            mayHaveSome = executions.size() > 0;
            var unused = look();
        }
    }

    /**
     * Looks, unless that is going on already, which may have read past what this one is for; completes when it has,
     * also in vain. What was not looked at stays in doubt.
     */
    CompletableFuture<Void> look() {
        if (!looking.compareAndSet(false, true)) {
            claims.doubt();
            return CompletableFuture.completedFuture(null);
        }
        return missing(store.keys().claims.range(seat.name(), seat.incarnation()), new ArrayList<>())
                .handleAsync(
                        (missing, failure) -> {
                            looking.set(false);
                            if (failure == null) {
                                found(missing);
                            } else {
                                claims.doubt();
                                LOG.warn(
                                        "the own claims can not be read, to be tried again by the next sweep", failure);
                            }
                            return null;
                        },
                        store.environment().executor());
    }

    /** Claims of this incarnation without an execution, a page at one version after the other. */
    private CompletableFuture<List<Claimed>> missing(Range range, List<Claimed> before) {
        return store.read(transaction -> transaction
                        .getRange(range, PAGE, false, StreamingMode.WANT_ALL)
                        .asList()
                        .thenCompose(page -> missing(transaction, page, before).thenApply(unused -> page)))
                .thenComposeAsync(
                        page -> page.size() < PAGE
                                ? CompletableFuture.completedFuture(before)
                                : missing(
                                        new Range(
                                                ByteArrayUtil.keyAfter(
                                                        page.getLast().getKey()),
                                                range.end),
                                        before),
                        store.environment().executor());
    }

    private CompletableFuture<Void> missing(ReadTransaction transaction, List<KeyValue> page, List<Claimed> missing) {
        Map<FutureId, CompletableFuture<Optional<FutureRecord>>> reads = new HashMap<>();
        page.stream()
                .map(pair ->
                        new FutureId(store.keys().claims.elements(pair.getKey()).getUUID(2)))
                .filter(id -> !isHere(id))
                .forEach(id -> reads.put(id, store.keys().record(transaction, id)));
        return AsyncUtil.whenAll(reads.values())
                .thenRun(() -> reads.forEach((id, read) -> read.join()
                        .filter(this::isClaimedHere)
                        .ifPresent(record -> missing.add(new Claimed(id, record)))));
    }

    private boolean isClaimedHere(FutureRecord record) {
        return record.getState() == State.STATE_CLAIMED
                && record.getClaim().getSeat().equals(seat.name())
                && record.getClaim().getIncarnation() == seat.incarnation();
    }

    /** Whether something here is about it: what has left its block since that was claimed is run with the block. */
    private boolean isHere(FutureId id) {
        return executions.get(id) != null || (BlockIds.isInBlock(id) && executions.get(BlockIds.blockOf(id)) != null);
    }

    private void found(List<Claimed> missing) {
        Map<FutureId, Suspect> before = suspects;
        Map<FutureId, Suspect> now = new HashMap<>();
        for (Claimed claimed : missing) {
            Suspect suspect = before.get(claimed.id());
            if (suspect == null || !suspect.token().equals(claimed.token())) {
                now.put(claimed.id(), new Suspect(claimed.token(), claims.round()));
            } else if (claims.isThrough(suspect.round())) {
                end(claimed);
            } else {
                now.put(claimed.id(), suspect);
            }
        }
        suspects = Map.copyOf(now);
    }

    private void end(Claimed claimed) {
        Execution execution = new Execution(claimed, store.environment().nanoTime());
        if (!execution.stopUnstarted(Execution.Stop.GIVE_BACK) || !executions.addIfAbsent(execution)) {
            return;
        }
        LOG.warn(
                "a claim that nothing here carries through is over seat={} future={} epoch={}",
                seat.name(),
                claimed.id(),
                claimed.token().getEpoch());
        Outcome lost = new Outcome.Failed(
                Failures.of(
                        FailureKind.FAILURE_KIND_WORKER_LOST,
                        "dev.ratchet.client.WorkerLost",
                        "The worker " + seat.name() + " lives and had the task, but what came of that is lost: the"
                                + " store has not answered to the claim, or not taken the outcome.",
                        seat.name()),
                false);
        var unused = endings.settle(execution, BlockRun.outcome(claimed, lost));
    }
}
