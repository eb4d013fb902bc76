/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.FutureIndex;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.store.keyspace.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One index against the records, by the same declaration as it is written: each entry follows from its record. */
record IndexCheck(FutureKeys keys, FutureIndex index) implements TableCheck {

    @Override
    public Table<?> table() {
        return index.table(keys);
    }

    @Override
    public CompletableFuture<Void> judge(CheckPage page, CheckedRow row) {
        if (index == FutureIndex.BOUND && row.value().length != Ids.BYTES) {
            row.violation("has " + row.value().length + " bytes");
            return CompletableFuture.completedFuture(null);
        }
        FutureId id = future(row);
        return page.record(id).thenAccept(record -> {
            List<byte[]> right =
                    record.map(found -> index.keys(keys, id, found)).orElse(List.of());
            row.require(
                    right.stream()
                            .anyMatch(key -> Arrays.equals(key, row.stored().getKey())),
                    excess(id, record, right));
        });
    }

    /** The other direction: each entry that follows from the record is there. */
    CompletableFuture<Void> judgeRecord(CheckPage page, CheckedRow row, FutureId id, FutureRecord record) {
        List<CompletableFuture<Void>> verdicts = new ArrayList<>();
        for (byte[] key : index.keys(keys, id, record)) {
            verdicts.add(page.get(key)
                    .thenAccept(value -> row.require(
                            value != null && (index != FutureIndex.BOUND || Arrays.equals(value, index.value(id))),
                            lack(record, table().elements(key)))));
        }
        return AsyncUtil.whenAll(verdicts);
    }

    private FutureId future(CheckedRow row) {
        Tuple key = row.key();
        return switch (index) {
            case PARKED -> new FutureId(key.getUUID(1));
            case CLAIMED, HELD, EXPIRING -> new FutureId(key.getUUID(2));
            case RAN -> new FutureId(key.getUUID(3));
            case LISTED -> new FutureId(key.getUUID(4));
            case BOUND -> Ids.read(row.value(), 0);
        };
    }

    /** What is wrong with an entry that its record does not have. */
    private String excess(FutureId id, Optional<FutureRecord> record, List<byte[]> right) {
        String state = HolderChecks.state(record);
        return switch (index) {
            case LISTED, RAN ->
                record.isEmpty()
                        ? "lists a future that is missing"
                        : "lists a future that belongs "
                                + (right.isEmpty() ? "nowhere" : "to " + CheckPage.path(table(), right.getFirst()));
            case CLAIMED -> "is no claim of the record, which is " + state;
            case HELD -> "is no copy that the record names, which is " + state;
            case EXPIRING ->
                "is not where the record says, which is "
                        + record.map(FutureRecord::getExpiresWallMillis)
                                .map(String::valueOf)
                                .orElse("missing");
            case PARKED -> "parks a future that does not say so";
            case BOUND -> "is bound to " + id + ", which does not know";
        };
    }

    /** What is wrong with a record that lacks an entry. */
    private String lack(FutureRecord record, Tuple entry) {
        return switch (index) {
            case LISTED ->
                "is not listed as " + Lifecycle.word(record.getState()) + " under its job '" + record.getJob() + "'";
            case RAN -> "is not listed under its seat " + record.getClaim().getSeat();
            case CLAIMED -> "is CLAIMED and not listed under " + holder(entry);
            case HELD -> "names a copy that is not listed under " + holder(entry);
            case EXPIRING -> "expires and is not listed for that";
            case PARKED -> "is parked for a client that has no such entry";
            case BOUND -> "has the name '" + entry.getString(1) + "', which is bound to another future or to none";
        };
    }

    private static String holder(Tuple entry) {
        return entry.getString(0) + "/" + entry.getLong(1);
    }
}
