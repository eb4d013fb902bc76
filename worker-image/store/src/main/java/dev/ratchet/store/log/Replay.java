/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import dev.ratchet.store.engine.CommittedBatch;
import dev.ratchet.store.engine.StartingPoint;
import dev.ratchet.store.ordered.OrderedTree;
import dev.ratchet.store.ordered.PageException;
import dev.ratchet.store.ordered.TreeEditor;
import dev.ratchet.store.transaction.AtomicOperations;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.Mutation;
import dev.ratchet.store.transaction.RequestId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Makes the batches of a log again, in order, on the data that the log goes on from. The pages that some of them change
 * are read ahead by several threads: one after the other they would make a start take as long as all their reads.
 */
final class Replay {

    /** How many changes are looked at ahead, which bounds the memory for pages that are not changed yet: 12 MB. */
    private static final int CHANGES_AHEAD = 2_000;
    /** A disk answers so many reads at a time in hardly more time than one. */
    private static final int READERS = 7;

    private final @Nullable Pages pages;
    private final Executor executor;
    private final TreeEditor<byte[]> data;
    private final Map<RequestId, CommitOutcome> outcomes;
    private final List<CommittedBatch> ahead = new ArrayList<>();
    private int changesAhead;
    private long version;
    private long reserved;
    private long dirtiedBefore;
    /** Whether there may be pages to read. */
    private boolean rests;

    /**
     * What a log goes on from.
     *
     * @param reserved no version above this one was handed out before the log
     */
    record Base(OrderedTree<byte[]> data, long version, long reserved, Map<RequestId, CommitOutcome> outcomes) {}

    /**
     * Goes on from a base.
     *
     * @param pages where the data rest; null when they do not
     * @param executor may help to read; nobody waits for it
     */
    Replay(Base base, @Nullable Pages pages, Executor executor) {
        this.pages = pages;
        this.executor = executor;
        data = base.data.edit();
        rests = pages != null && base.data.weight() > 0;
        outcomes = new HashMap<>(base.outcomes);
        version = base.version;
        reserved = base.reserved;
    }

    /** Takes the next batch of the log; passes over what the base has already. */
    void add(CommittedBatch batch) {
        reserved = Math.max(reserved, batch.reservedVersion());
        if (batch.version() <= version) {
            return;
        }
        version = batch.version();
        ahead.add(batch);
        changesAhead += batch.changes().size();
        if (changesAhead >= CHANGES_AHEAD) {
            catchUp();
        }
    }

    /** Where an engine goes on, with a version above all that were handed out. */
    StartingPoint end() {
        catchUp();
        return new StartingPoint(Math.max(version, reserved) + 1, data.freeze(), outcomes);
    }

    /** Makes the changes of all batches that were added. */
    void catchUp() {
        if (rests) {
            readAhead();
        }
        for (CommittedBatch batch : ahead) {
            for (Mutation change : batch.changes()) {
                apply(change);
            }
            for (CommittedBatch.Named named : batch.requests()) {
                outcomes.put(named.id(), new CommitOutcome(batch.version(), named.batchIndex()));
            }
        }
        ahead.clear();
        changesAhead = 0;
    }

    private void apply(Mutation change) {
        if (change.type() == Mutation.CLEAR_RANGE) {
            data.removeRange(change.key(), change.param());
        } else {
            byte[] before = change.type() == Mutation.SET ? null : data.get(change.key());
            data.put(
                    change.key(),
                    Objects.requireNonNull(AtomicOperations.apply(change.type(), before, change.param())));
        }
    }

    /** Who comes too late to help finds nothing to do; who is not done yet is in nobody's way. */
    private void readAhead() {
        List<byte[]> absent = keysOfAbsentPages();
        if (absent.isEmpty()) {
            return;
        }
        OrderedTree<byte[]> tree = data.freeze();
        AtomicInteger next = new AtomicInteger();
        Runnable reader = () -> {
            for (int i = next.getAndIncrement(); i < absent.size(); i = next.getAndIncrement()) {
                try {
                    tree.get(absent.get(i));
                } catch (PageException damaged) {
                    // The change that needs this page meets it too, and says so.
                }
            }
        };
        for (int i = 0; i < Math.min(READERS, absent.size()); i++) {
            executor.execute(reader);
        }
        reader.run();
    }

    private List<byte[]> keysOfAbsentPages() {
        List<byte[]> keys = new ArrayList<>();
        for (CommittedBatch batch : ahead) {
            for (Mutation change : batch.changes()) {
                if (!data.isInMemory(change.key())) {
                    keys.add(change.key());
                }
                if (change.type() == Mutation.CLEAR_RANGE && !data.isInMemory(change.param())) {
                    keys.add(change.param());
                }
            }
        }
        return keys;
    }

    /** Whether the changes take more memory than they may. */
    boolean isLarge() {
        return pages != null && data.dirtiedBytesNow() - dirtiedBefore > 2 * pages.dirtyBytesMax();
    }

    /** Writes pages that no root counts on yet, so that however long the log is, its changes fit into memory. */
    void writePages() throws IOException {
        Objects.requireNonNull(pages).trees().rest(data.freeze(), 0);
        dirtiedBefore = data.dirtiedBytesNow();
        rests = true;
    }
}
