/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.source;

import dev.ratchet.dataflow.InputRequest;
import dev.ratchet.dataflow.TableRows;
import dev.ratchet.dataflow.log.StoredInputLog;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What the input log has of one source: its last sequence, which a source can tell its next rows from. Rows are
 * appended only where the sequence in the store is still the one that they follow, so that two processes which both
 * believe that they hold the term add each row once. One call at a time.
 */
final class SourceLog {

    private final StoredInputLog log;
    private final String producer;
    private @Nullable Long last;

    /** @param name of the source, which others have not */
    SourceLog(StoredInputLog log, String name) {
        this.log = log;
        this.producer = StoredInputLog.SOURCE_PREFIX + name;
    }

    /** The last sequence that is durable, -1 for none. */
    CompletableFuture<Long> last() {
        Long known = last;
        return known != null
                ? CompletableFuture.completedFuture(known)
                : log.received(producer).thenApply(received -> {
                    last = received.sequence();
                    return received.sequence();
                });
    }

    /** Appends the rows that follow {@link #last}; nothing, where somebody else has done so: ask again what is last. */
    CompletableFuture<Void> append(long sequence, List<TableRows> tables) {
        return last().thenCompose(before -> log.appendBehind(new InputRequest(producer, sequence, tables), before)
                .thenAccept(received -> {
                    last = received.sequence();
                }));
    }
}
