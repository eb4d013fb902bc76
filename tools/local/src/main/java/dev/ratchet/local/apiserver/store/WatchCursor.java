/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.store;

import dev.ratchet.local.apiserver.model.ApiException;
import org.jspecify.annotations.Nullable;

/** One reader's place among the changes of a kind. Used by one thread at a time. */
public final class WatchCursor {

    private final ApiObjects store;
    private final ChangeLog log;
    private ChangeLog.Place place;

    WatchCursor(ApiObjects store, ChangeLog log, ChangeLog.Place place) {
        this.store = store;
        this.log = log;
        this.place = place;
    }

    /**
     * The next change, or null when there was none for so long.
     *
     * @throws ApiException 410 when the reader was so slow that changes it has not seen are forgotten
     */
    public @Nullable StoredChange next(long timeoutMillis) throws InterruptedException {
        if (place.next == null && !log.await(place, timeoutMillis)) {
            return null;
        }
        if (log.isForgotten(place)) {
            throw ApiException.expired(
                    "too old resource version: " + place.version + "; the watch was too slow, list again");
        }
        ChangeLog.Place next = place.next;
        if (next == null) {
            return null;
        }
        place = next;
        return next.change;
    }

    /** The version up to which this reader has seen everything, or -1 while there is more to read. */
    public long seenUpTo() {
        return store.versionIf(() -> place.next == null);
    }
}
