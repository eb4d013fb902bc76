/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.futures.v1.Requirements;
import dev.ratchet.store.keyspace.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Finds the requirement classes that there is room for among however many wait, with a bounded number of reads. They
 * are listed by band, custom resources, GPUs, processors and memory, so what is behind the first one that is too large
 * in one of these is skipped unread. Whoever queues something lists its class and band in the same transaction; that
 * nothing is left of one is found later, so a class that is listed may be empty. Not the default class. Immutable.
 */
final class WaitingClasses {

    /** Rows of one read. */
    private static final int PAGE = 100;

    private final Table<Requirements> table;

    WaitingClasses(FutureKeys keys) {
        this.table = keys.waitingClasses;
    }

    /** A class that is listed in a band. */
    record Listed(byte[] key, String requirementClass, long band, Requirements requirements) {}

    /**
     * What a part of the list says.
     *
     * @param fitting classes that there is room for, in their order
     * @param tooLarge the ids of some that there is none for
     * @param next where to go on; null at the end
     * @param reads how many were made
     */
    record Found(List<Listed> fitting, List<String> tooLarge, byte @Nullable [] next, int reads) {}

    /** The whole list. */
    Range all() {
        return table.range();
    }

    /** The classes of one band. */
    Range band(long band) {
        return table.range(band);
    }

    /**
     * Looks for classes that fit, until there are {@code max} or more, or so many reads were made.
     *
     * @param transaction the transaction itself where the answer must hold until its commit
     */
    CompletableFuture<Found> find(ReadTransaction transaction, Room room, byte[] from, byte[] end, int max, int reads) {
        return room.others() == 0
                ? CompletableFuture.completedFuture(new Found(List.of(), List.of(), null, 0))
                : find(transaction, room, end, max, reads, new Found(new ArrayList<>(), new ArrayList<>(), from, 0));
    }

    private CompletableFuture<Found> find(
            ReadTransaction transaction, Room room, byte[] end, int max, int reads, Found before) {
        byte[] from = before.next();
        if (from == null || before.reads() >= reads || before.fitting().size() >= max) {
            return CompletableFuture.completedFuture(before);
        }
        if (ByteArrayUtil.compareUnsigned(from, end) >= 0) {
            return CompletableFuture.completedFuture(
                    new Found(before.fitting(), before.tooLarge(), null, before.reads()));
        }
        return transaction
                .getRange(from, end, PAGE, false, StreamingMode.WANT_ALL)
                .asList()
                .thenCompose(page -> {
                    byte[] next = null;
                    for (KeyValue pair : page) {
                        Listed listed = listed(pair);
                        boolean fits = room.fits(listed.requirementClass(), listed.requirements());
                        next = fits ? ByteArrayUtil.keyAfter(listed.key()) : behind(listed, room.capacity());
                        if (fits) {
                            before.fitting().add(listed);
                        } else {
                            before.tooLarge().add(listed.requirementClass());
                        }
                    }
                    return find(
                            transaction,
                            room,
                            end,
                            max,
                            reads,
                            new Found(
                                    before.fitting(),
                                    before.tooLarge(),
                                    page.size() < PAGE ? null : next,
                                    before.reads() + 1));
                });
    }

    private Listed listed(KeyValue pair) {
        Tuple key = table.elements(pair.getKey());
        return new Listed(pair.getKey(), key.getString(key.size() - 1), key.getLong(0), table.decode(pair.getValue()));
    }

    /** The end of the classes that are too large for the same reason as this one. */
    private byte[] behind(Listed listed, Capacity capacity) {
        Tuple key = table.elements(listed.key());
        Requirements required = listed.requirements();
        boolean isCustom = !capacity.fits(
                Requirements.newBuilder().putAllCustom(required.getCustomMap()).build());
        if (isCustom || required.getGpuMillis() > capacity.gpuMillis()) {
            return table.range(key.get(0), key.get(1)).end;
        }
        return required.getCpuMillis() > capacity.cpuMillis()
                ? table.range(key.get(0), key.get(1), key.get(2)).end
                : table.range(key.get(0), key.get(1), key.get(2), key.get(3)).end;
    }
}
