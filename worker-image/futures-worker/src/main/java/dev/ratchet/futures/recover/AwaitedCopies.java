/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.recover;

import com.apple.foundationdb.ReadTransaction;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.record.MembershipTables;
import dev.ratchet.protocol.membership.v1.LayoutRecord;
import dev.ratchet.store.keyspace.Table;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Whether copies that a dead process has left on a volume stay recorded until the next process of its seat has looked
 * there: only that one knows which of them it finds. A seat that no layout has and that nobody has taken for a day has
 * left for good: in an orderly way it would have left with nothing. Thread-safe.
 */
final class AwaitedCopies {

    /** How long a seat without a layout is awaited; what is given up then may be the last copy. */
    static final long LEFT_MILLIS = 86_400_000;

    private final Table<LayoutRecord> layout;
    private final String ownSeat;
    private final Liveness liveness;

    AwaitedCopies(FutureKeys keys, String ownSeat, Liveness liveness) {
        this.layout = MembershipTables.LAYOUT.in(keys.keyspace());
        this.ownSeat = ownSeat;
        this.liveness = liveness;
    }

    /** The holder, if what it has left on its volume is awaited. */
    CompletableFuture<Optional<Member>> holder(ReadTransaction transaction, Optional<Member> member) {
        Optional<Member> other =
                member.filter(Member::onVolume).filter(holder -> !holder.seat().equals(ownSeat));
        if (other.isEmpty() || !isSilent(other.get())) {
            return CompletableFuture.completedFuture(other);
        }
        return transaction
                .get(layout.key())
                .thenApply(value -> other.filter(holder ->
                        value == null || layout.decode(value).getSeatsList().contains(holder.seat())));
    }

    private boolean isSilent(Member member) {
        return liveness.silentMillis(member.seat(), member.incarnation()).orElse(0) >= LEFT_MILLIS;
    }
}
