/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.KeyValue;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A {@link MergedRead} of descending rows. */
final class BackwardRead extends MergedRead {

    private boolean started;
    private boolean finishing;

    BackwardRead(Source source, ReadBound begin, ReadBound end, ReadLimits limits) {
        super(source, begin, end, limits);
    }

    @Override
    @Nullable
    CompletableFuture<?> step() {
        if (finishing) {
            return finishRows();
        }
        if (!started) {
            return start();
        }
        while (true) {
            if (rows.isEmpty() && isInverted()) {
                return finish(MergedRows.none(false, false));
            }
            if (begin.offset() >= 1 && Keys.compare(begin.key(), source.maxKey()) >= 0) {
                return finishEmpty();
            }
            boolean met = begin.offset() >= end.offset() && Keys.compare(begin.key(), end.key()) >= 0;
            if (met || (end.offset() <= 1 && end.key().length == 0)) {
                return begin.isResolved() || rows.isEmpty() ? finishRows() : resolveBeginAndFinish();
            }
            boolean pastBegin = itemsPast >= begin.offset() - 1;
            if (pastBegin && Keys.compare(at.begin(), atOther.begin()) < 0 && !at.isUnreadable() && !at.isUnknown()) {
                return begin.isResolved() ? finishRows() : finishEmpty();
            }
            if (limits.isReached() && pastBegin) {
                return finishRows();
            }
            if (end.isAt(at.begin())) {
                if (pastBegin && Keys.compare(at.begin(), atOther.begin()) == 0) {
                    return finishRows();
                }
                at.previous();
            }
            if (at.isUnknown()) {
                if (limits.hasBytes() && !rows.isEmpty() && pastBegin) {
                    more = true;
                    return finishRows();
                }
                return learn().thenRun(this::resolveBoth);
            }
            if (at.isRow()) {
                takeRow();
            }
            if (Keys.compare(at.begin(), atOther.begin()) == 0) {
                return finishRows();
            }
            at.previous();
        }
    }

    private void resolveBoth() {
        synchronized (source.attempt()) {
            resolveBothLocked();
        }
    }

    private void resolveBothLocked() {
        end.resolve(at, source.maxKey(), edges);
        begin.resolve(atOther, source.maxKey(), edges);
    }

    private @Nullable CompletableFuture<?> start() {
        started = true;
        resolveBoth();
        if (isInverted()) {
            return finish(MergedRows.none(false, false));
        }
        if (begin.isAt(source.maxKey()) || end.isAt(Keys.FIRST)) {
            return finishEmpty();
        }
        if (!begin.isResolved() && Keys.compare(begin.key(), end.key()) > 0) {
            return key(source, begin).thenAccept(resolved -> {
                edges.note(resolved, source.maxKey());
                if (end.offset() <= 1 && Keys.compare(resolved, end.key()) >= 0) {
                    finish(MergedRows.none(false, false));
                } else if (Keys.compare(resolved, source.maxKey()) == 0) {
                    finishEmpty();
                } else {
                    resolveBoth();
                }
            });
        }
        return null;
    }

    private @Nullable CompletableFuture<?> resolveBeginAndFinish() {
        return key(source, begin).thenAccept(resolved -> {
            edges.note(resolved, source.maxKey());
            begin.resolveTo(resolved);
            finishing = true;
        });
    }

    private CompletableFuture<?> learn() {
        ReadReach reach = reachBackward();
        int extra = reach.singles() + Math.max(0, begin.offset() - 1);
        byte[] until = reach.isWhole() && begin.offset() >= 1 ? begin.key() : reach.edge();
        if (end.offset() > 1) {
            byte[] from = before(until, end.key());
            return inDatabase(end).thenCompose(to -> learnBackward(from, to, extra, end.offset() + extra));
        }
        byte[] to = earlier(end.key(), at.end());
        if (end.isResolved()) {
            // All after is taken: the read goes on from here.
            end.resolveTo(to);
        }
        int skipped = Math.max(0, 1 - end.offset());
        return learnBackward(before(until, to), to, extra + skipped, 1 + extra + skipped);
    }

    /** A request must learn something. */
    private byte[] before(byte[] until, byte[] to) {
        return Keys.compare(until, to) < 0 ? until : at.begin();
    }

    private @Nullable CompletableFuture<?> finishRows() {
        boolean limited = more || limits.isReached();
        List<KeyValue> kept = rows;
        if (begin.isResolved()) {
            int keep = rows.size();
            while (keep > 0 && Keys.compare(rows.get(keep - 1).getKey(), begin.key()) < 0) {
                keep--;
            }
            limited &= keep == rows.size();
            kept = rows.subList(0, keep);
        }
        return finish(new MergedRows(kept, limited, !limited && edges.toBegin, edges.throughEnd));
    }
}
