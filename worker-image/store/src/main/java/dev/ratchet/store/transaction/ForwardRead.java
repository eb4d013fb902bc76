/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.KeyValue;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A {@link MergedRead} of ascending rows. */
final class ForwardRead extends MergedRead {

    private boolean started;
    private boolean finishing;

    ForwardRead(Source source, ReadBound begin, ReadBound end, ReadLimits limits) {
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
            if (end.offset() <= 1 && end.key().length == 0) {
                return finishEmpty();
            }
            boolean met = begin.offset() >= end.offset() && Keys.compare(begin.key(), end.key()) >= 0;
            if (met || (begin.offset() >= 1 && Keys.compare(begin.key(), source.maxKey()) >= 0)) {
                return end.isResolved() || rows.isEmpty() ? finishRows() : resolveEndAndFinish();
            }
            if (!at.isUnreadable() && !at.isUnknown() && Keys.compare(at.begin(), atOther.begin()) > 0) {
                return end.isResolved() ? finishRows() : finishEmpty();
            }
            boolean pastEnd = itemsPast >= 1 - end.offset();
            if (limits.isReached() && pastEnd) {
                return finishRows();
            }
            if (Keys.compare(at.begin(), atOther.begin()) == 0
                    && ((!at.isUnreadable() && !at.isUnknown()) || (begin.offset() > 0 && end.isAt(at.begin())))) {
                return finishRows();
            }
            if (at.isUnknown()) {
                if (limits.hasBytes() && !rows.isEmpty() && pastEnd) {
                    more = true;
                    return finishRows();
                }
                return learn().thenRun(this::resolveBoth);
            }
            if (at.isRow()) {
                takeRow();
            }
            at.next();
        }
    }

    private void resolveBoth() {
        synchronized (source.attempt()) {
            resolveBothLocked();
        }
    }

    private void resolveBothLocked() {
        begin.resolve(at, source.maxKey(), edges);
        end.resolve(atOther, source.maxKey(), edges);
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
        if (!end.isResolved() && Keys.compare(begin.key(), end.key()) > 0) {
            return key(source, end).thenAccept(resolved -> {
                edges.note(resolved, source.maxKey());
                if (begin.offset() >= 1 && Keys.compare(begin.key(), resolved) >= 0) {
                    finish(MergedRows.none(false, false));
                } else if (resolved.length == 0) {
                    finishEmpty();
                } else {
                    resolveBoth();
                }
            });
        }
        return null;
    }

    private @Nullable CompletableFuture<?> resolveEndAndFinish() {
        return key(source, end).thenAccept(resolved -> {
            edges.note(resolved, source.maxKey());
            end.resolveTo(resolved);
            finishing = true;
        });
    }

    private CompletableFuture<?> learn() {
        ReadReach reach = reachForward();
        int extra = reach.singles() + Math.max(0, 1 - end.offset());
        byte[] until = reach.isWhole() && end.offset() <= 1 ? end.key() : reach.edge();
        if (begin.offset() < 1 && begin.key().length > 0) {
            int minRows = 2 - begin.offset();
            return inDatabase(begin)
                    .thenCompose(from -> learnForward(from, after(until, begin.key()), extra, minRows + extra));
        }
        byte[] from = later(at.begin(), begin.key());
        if (begin.isResolved()) {
            // All before is taken: the read goes on from here.
            begin.resolveTo(from);
        }
        int skipped = Math.max(0, begin.offset() - 1);
        return learnForward(from, after(until, from), extra + skipped, 1 + extra + skipped);
    }

    /** A request must learn something. */
    private byte[] after(byte[] until, byte[] from) {
        return Keys.compare(until, from) > 0 ? until : at.end();
    }

    private @Nullable CompletableFuture<?> finishRows() {
        boolean limited = more || limits.isReached();
        List<KeyValue> kept = rows;
        if (end.isResolved()) {
            int keep = rows.size();
            while (keep > 0 && Keys.compare(rows.get(keep - 1).getKey(), end.key()) >= 0) {
                keep--;
            }
            limited &= keep == rows.size();
            kept = rows.subList(0, keep);
        }
        return finish(new MergedRows(kept, limited, edges.toBegin, !limited && edges.throughEnd));
    }
}
