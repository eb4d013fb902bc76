/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.coordinator;

import com.apple.foundationdb.Transaction;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.membership.v1.State;
import dev.ratchet.protocol.release.ReleaseFormats;
import dev.ratchet.protocol.release.VersionRange;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Owns the transaction that raises the level of recorded formats. Invariant: no process that may live is left that does
 * not read the new level. Every process records what it reads when it takes its seat, in a transaction that reads the
 * level, and this one reads all of these records; so one of the two fails if they meet. Holds no state.
 */
final class FormatRaise {

    private FormatRaise() {}

    /**
     * Raises to {@code level} in {@code transaction}.
     *
     * @param own what this process reads and writes
     * @return the level then; fails with {@link IllegalArgumentException} and changes nothing if a worker does not read
     *     {@code level}
     */
    static CompletableFuture<Integer> to(int level, Transaction transaction, Keyspace keyspace, ReleaseFormats own) {
        StoredMembers members = new StoredMembers(keyspace);
        CompletableFuture<Map<String, MemberRecord>> records = members.records(transaction);
        return StoreRecord.format(transaction, keyspace)
                .thenCombine(records, Found::new)
                .thenCompose(found -> {
                    if (level <= found.level()) {
                        return CompletableFuture.completedFuture(found.level());
                    }
                    obstacle(level, found.records()).ifPresent(why -> {
                        throw new IllegalArgumentException(why);
                    });
                    members.changed(transaction);
                    return StoreRecord.raiseFormat(transaction, keyspace, level, own);
                });
    }

    private record Found(int level, Map<String, MemberRecord> records) {}

    /** The highest level that all of those that may live read and write; that of {@code own} where there is none. */
    static int common(Collection<MemberRecord> records, ReleaseFormats own) {
        return records.stream()
                .filter(FormatRaise::mayLive)
                .mapToInt(record -> formats(record).newest())
                .min()
                .orElse(own.levels().newest());
    }

    private static Optional<String> obstacle(int level, Map<String, MemberRecord> records) {
        return records.entrySet().stream()
                .filter(entry -> mayLive(entry.getValue()))
                .filter(entry -> !formats(entry.getValue()).contains(level))
                .findFirst()
                .map(entry -> "Formats are not raised to level " + level + ": worker " + entry.getKey() + " of release "
                        + entry.getValue().getVersion() + " works on levels " + formats(entry.getValue())
                        + "; upgrade it first");
    }

    private static boolean mayLive(MemberRecord record) {
        return record.getState() != State.STATE_MUST_DIE;
    }

    private static VersionRange formats(MemberRecord record) {
        return VersionRange.recorded(record.getFormatLeast(), record.getFormat());
    }
}
