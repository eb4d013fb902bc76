/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.recover;

import com.apple.foundationdb.ReadTransaction;
import dev.ratchet.futures.object.Copies;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.record.MembershipTables;
import dev.ratchet.protocol.futures.v1.FutureRecordOrBuilder;
import dev.ratchet.protocol.membership.v1.LayoutRecord;
import dev.ratchet.store.keyspace.Table;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Whether copies that a dead process has left in files stay recorded until the next process of its seat has looked
 * there: only that one knows which of them it finds. They do on a volume, and where the process has parked. A seat that
 * no layout has and that nobody has taken for a day has left for good: in an orderly way it would have left with
 * nothing. Thread-safe.
 */
final class AwaitedCopies {

    /** How long a seat without a layout is awaited; what is given up then may be the last copy. */
    static final long LEFT_MILLIS = 86_400_000;

    /** For how long results that can be computed again are awaited: as long as a new image may take to be there. */
    static final long PARKED_MILLIS = 300_000;

    private final Table<LayoutRecord> layout;
    private final String ownSeat;
    private final Liveness liveness;

    AwaitedCopies(FutureKeys keys, String ownSeat, Liveness liveness) {
        this.layout = MembershipTables.LAYOUT.in(keys.keyspace());
        this.ownSeat = ownSeat;
        this.liveness = liveness;
    }

    /**
     * A holder of whose files something is awaited.
     *
     * @param all also results that can be computed again, not only the others
     */
    record Awaited(Member holder, boolean all) {
        boolean isCopyOf(FutureRecordOrBuilder record) {
            return Copies.isAwaited(record, holder)
                    && (all || record.getSchedulingSpec().getNoReconstruction());
        }
    }

    /** The holder, if something that it has left in files is awaited. */
    CompletableFuture<Optional<Awaited>> holder(ReadTransaction transaction, Optional<Member> member) {
        Optional<Awaited> other = member.filter(holder -> holder.onVolume() || holder.parkedIncarnation() > 0)
                .filter(holder -> !holder.seat().equals(ownSeat))
                .map(holder -> new Awaited(holder, holder.parkedIncarnation() > 0 && !isSilent(holder, PARKED_MILLIS)));
        if (other.isEmpty() || !isSilent(other.get().holder(), LEFT_MILLIS)) {
            return CompletableFuture.completedFuture(other);
        }
        return transaction
                .get(layout.key())
                .thenApply(value -> other.filter(awaited -> value == null
                        || layout.decode(value)
                                .getSeatsList()
                                .contains(awaited.holder().seat())));
    }

    private boolean isSilent(Member member, long millis) {
        return liveness.silentMillis(member.seat(), member.incarnation()).orElse(0) >= millis;
    }
}
