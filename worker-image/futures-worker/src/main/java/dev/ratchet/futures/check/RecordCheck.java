/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.async.AsyncUtil;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.artifact.PieceStore;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.ArgumentUploads;
import dev.ratchet.futures.record.FutureIndex;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.NameCounts;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.Result;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.futures.v1.StoredObject;
import dev.ratchet.store.keyspace.Table;
import dev.ratchet.store.keyspace.ValueFormatException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Each record against itself and against every index that must follow from it. */
final class RecordCheck implements TableCheck {

    private final FutureKeys keys;

    RecordCheck(FutureKeys keys) {
        this.keys = keys;
    }

    @Override
    public Table<?> table() {
        return keys.records;
    }

    @Override
    public CompletableFuture<Void> judge(CheckPage page, CheckedRow row) {
        FutureId id = new FutureId(row.key().getUUID(0));
        FutureRecord record;
        try {
            record = keys.records.decode(row.value());
        } catch (ValueFormatException unreadable) {
            row.violation("can not be read: " + unreadable.getMessage());
            return CompletableFuture.completedFuture(null);
        }
        List<CompletableFuture<Void>> verdicts = new ArrayList<>();
        if (record.hasBlock()) {
            verdicts.add(BlockChecks.judge(page, keys, row, id, record));
            if (BlockFutures.count(record) == 0) {
                return verdicts.get(0);
            }
        }
        page.count(record);
        verdicts.add(indexed(page, row, id, record));
        verdicts.add(content(page, row, id, record));
        judgeOutcome(row, record);
        switch (record.getState()) {
            case STATE_WAITING -> verdicts.add(waiting(page, row, id));
            case STATE_DELAYED -> verdicts.add(delayed(page, row, id, record));
            case STATE_QUEUED, STATE_ASSIGNED -> page.mustBeQueued(id, record.getTicket());
            case STATE_CLAIMED -> verdicts.add(claimed(page, row, record));
            case STATE_REALIZED -> verdicts.add(realized(page, row, record));
            case STATE_FAILED -> row.require(record.hasFailure(), "is FAILED and has no failure");
            case STATE_UNSPECIFIED, UNRECOGNIZED -> row.violation("is in no state");
            default -> {}
        }
        return AsyncUtil.whenAll(verdicts);
    }

    private CompletableFuture<Void> delayed(CheckPage page, CheckedRow row, FutureId id, FutureRecord record) {
        return page.exists(keys.timers.key(record.getNotBeforeWallMillis(), id.value()))
                .thenAccept(timed -> row.require(timed, "is DELAYED and has no timer when it is due"));
    }

    /** It is found by every index, and its name is counted. */
    private CompletableFuture<Void> indexed(CheckPage page, CheckedRow row, FutureId id, FutureRecord record) {
        List<CompletableFuture<Void>> verdicts = new ArrayList<>();
        for (FutureIndex index : FutureIndex.all()) {
            verdicts.add(new IndexCheck(keys, index).judgeRecord(page, row, id, record));
        }
        NameCounts.name(record)
                .ifPresent(
                        name -> verdicts.add(page.exists(keys.named.subspace().pack(name))
                                .thenAccept(counted -> row.require(
                                        counted, "is not listed under its name '" + record.getName() + "'"))));
        return AsyncUtil.whenAll(verdicts);
    }

    private void judgeOutcome(CheckedRow row, FutureRecord record) {
        boolean hasResult = record.getResult().getWhereCase() != Result.WhereCase.WHERE_NOT_SET;
        boolean realized = record.getState() == State.STATE_REALIZED;
        row.require(
                hasResult == realized,
                "is " + Lifecycle.word(record.getState()) + " and has " + (hasResult ? "a result" : "no result"));
        row.require(
                !Lifecycle.isDone(record.getState()) || record.getWaitersCount() == 0,
                "is " + Lifecycle.word(record.getState()) + " and was not told to its waiters "
                        + record.getWaitersList());
        row.require(
                record.getNumAttempts() >= 0 && record.getNumAttempts() <= record.getMaxRetries() + 1,
                "counts attempts=" + record.getNumAttempts() + " with maxRetries=" + record.getMaxRetries());
    }

    private CompletableFuture<Void> waiting(CheckPage page, CheckedRow row, FutureId id) {
        return page.first(keys.waits.range(id.value()), 1)
                .thenAccept(edges -> row.require(!edges.isEmpty(), "is WAITING and waits for nothing"));
    }

    private CompletableFuture<Void> claimed(CheckPage page, CheckedRow row, FutureRecord record) {
        ClaimToken claim = record.getClaim();
        row.require(
                record.hasClaim() && claim.getEpoch() == record.getEpoch(),
                "is CLAIMED at epoch " + record.getEpoch() + " by a token of epoch " + claim.getEpoch());
        return issued(page, row, claim.getSeat(), claim.getIncarnation());
    }

    private CompletableFuture<Void> issued(CheckPage page, CheckedRow row, String seat, long incarnation) {
        return page.member(seat)
                .thenAccept(member -> row.require(
                        member.isPresent() && member.get().incarnation() >= incarnation,
                        "names the incarnation " + incarnation + " of " + seat + ", which was never issued"));
    }

    private CompletableFuture<Void> realized(CheckPage page, CheckedRow row, FutureRecord record) {
        if (!record.getResult().hasObject()) {
            return CompletableFuture.completedFuture(null);
        }
        StoredObject object = record.getResult().getObject();
        row.require(object.getCopiesCount() > 0, "is REALIZED and nobody holds its result");
        row.require(new HashSet<>(object.getCopiesList()).size() == object.getCopiesCount(), "names a copy twice");
        List<CompletableFuture<Void>> verdicts = new ArrayList<>();
        for (Copy copy : object.getCopiesList()) {
            verdicts.add(issued(page, row, copy.getSeat(), copy.getIncarnation()));
        }
        return AsyncUtil.whenAll(verdicts);
    }

    /** What the record says of content that is kept beside it. */
    private CompletableFuture<Void> content(CheckPage page, CheckedRow row, FutureId id, FutureRecord record) {
        List<CompletableFuture<Void>> verdicts = new ArrayList<>();
        verdicts.add(page.get(keys.upstreams.key(id.value()))
                .thenAccept(value -> row.require(
                        (value == null ? 0 : value.length) == record.getUpstreams() * Ids.BYTES,
                        "has upstreams=" + record.getUpstreams() + " and a list of "
                                + (value == null ? 0 : value.length) + " bytes")));
        verdicts.add(lineage(page, row, id));
        row.require(
                record.getParkedFor().isEmpty() || record.getClientsList().contains(record.getParkedFor()),
                "is parked for a client that does not hold it");
        if (record.getArgumentChunks() > 0) {
            verdicts.add(page.exists(keys.arguments.key(PieceStore.elements(
                            ArgumentUploads.owner(id.value(), record), record.getArgumentChunks() - 1)))
                    .thenAccept(there -> row.require(there, "lacks the last piece of its argument")));
        }
        if (!record.getFunction().isEmpty()) {
            verdicts.add(
                    page.exists(keys.functions.key((Object) record.getFunction().toByteArray()))
                            .thenAccept(there -> row.require(there, "names a function that is not there")));
            verdicts.add(page.exists(
                            keys.functionUses.key((Object) record.getFunction().toByteArray()))
                    .thenAccept(there -> row.require(there, "names a function that counts no use")));
        }
        return AsyncUtil.whenAll(verdicts);
    }

    /** Each of its upstreams knows that this future was computed from it. */
    private CompletableFuture<Void> lineage(CheckPage page, CheckedRow row, FutureId id) {
        return page.upstreams(id)
                .thenCompose(upstreams -> AsyncUtil.whenAll(upstreams.stream()
                        .map(upstream -> page.exists(keys.uses.key(upstream.value(), id.value()))
                                .thenAccept(there ->
                                        row.require(there, "was computed from " + upstream + ", which does not know")))
                        .toList()));
    }
}
