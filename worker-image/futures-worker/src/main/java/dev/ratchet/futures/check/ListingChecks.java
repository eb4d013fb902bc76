/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.futures.record.FutureIndex;
import dev.ratchet.futures.record.FutureKeys;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What listings read names futures that are so, and nothing else. */
final class ListingChecks {

    private ListingChecks() {}

    /** A name that is counted has futures. */
    static TableCheck named(FutureKeys keys) {
        return TableCheck.of(keys.named, (page, row) -> {
            Tuple name = row.key();
            long count = keys.named.decode(row.value());
            List<CompletableFuture<Integer>> found = FutureIndex.PHASES.stream()
                    .map(phase -> page.first(
                                    keys.listed.range(
                                            (long) phase.getNumber(),
                                            name.getString(1),
                                            name.getString(2),
                                            name.getString(0)),
                                    1)
                            .thenApply(List::size))
                    .toList();
            return AsyncUtil.whenAll(found)
                    .thenAccept(unused -> row.require(
                            count > 0 && found.stream().anyMatch(futures -> futures.join() > 0),
                            "counts " + count + " futures and should not, or there is none"));
        });
    }
}
