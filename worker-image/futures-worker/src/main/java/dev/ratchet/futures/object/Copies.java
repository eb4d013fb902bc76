/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import com.apple.foundationdb.ReadTransaction;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.membership.Member;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.FutureRecordOrBuilder;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.futures.v1.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Who holds the result of a future: the list in its record, which the index by holder follows. A result that loses its
 * last copy makes its future LOST.
 */
public final class Copies {

    private final FutureKeys keys;

    public Copies(FutureKeys keys) {
        this.keys = keys;
    }

    /** Whether the future is realized and its result is this object. */
    public static boolean isResult(LoadedFuture future, ObjectName name) {
        return future.state() == State.STATE_REALIZED
                && future.record().getResult().hasObject()
                && future.record().getResult().getObject().getEpoch() == name.epoch();
    }

    /** Whether that is the result, and the record names this copy of it. */
    public static boolean isNamed(LoadedFuture future, ObjectName name, Copy copy) {
        return isResult(future, name)
                && future.record().getResult().getObject().getCopiesList().contains(copy);
    }

    /**
     * Whether a copy is awaited that a former process of a seat has left in a file, until the next one has looked
     * there: on a volume where the result can not be computed again, and of a process that has parked. Where the result
     * can be computed again only one process is given the time for it.
     *
     * @param holder who has the seat now or had it last
     */
    public static boolean isAwaited(FutureRecordOrBuilder record, Member holder) {
        boolean isParked = holder.parkedIncarnation() > 0;
        return record.getSchedulingSpec().getNoReconstruction()
                ? holder.onVolume() || isParked
                : isParked && holder.incarnation() <= holder.parkedIncarnation() + 1;
    }

    /** Adds a copy; without effect if it is known. */
    public static void add(LoadedFuture future, Copy copy) {
        StoredObject object = future.record().getResult().getObject();
        if (!object.getCopiesList().contains(copy)) {
            replace(future, object.toBuilder().addCopies(copy));
        }
    }

    /** Removes a copy; without effect if it is not known. The future may be LOST afterwards. */
    public static void remove(LoadedFuture future, Copy copy) {
        StoredObject object = future.record().getResult().getObject();
        List<Copy> others = new ArrayList<>(object.getCopiesList());
        if (!others.remove(copy)) {
            return;
        }
        if (others.isEmpty()) {
            lose(future);
        } else {
            replace(future, object.toBuilder().clearCopies().addAllCopies(others));
        }
    }

    /** Names a copy in the place of another one; without effect if that is not known. */
    public static void exchange(LoadedFuture future, Copy former, Copy copy) {
        StoredObject object = future.record().getResult().getObject();
        int index = object.getCopiesList().indexOf(former);
        if (index >= 0) {
            replace(future, object.toBuilder().setCopies(index, copy));
        }
    }

    /** As {@link #remove}, and the holder is to delete the bytes. */
    public void drop(FutureTransaction futures, LoadedFuture future, Copy copy) {
        StoredObject object = future.record().getResult().getObject();
        if (object.getCopiesList().contains(copy)) {
            refuse(futures, new ObjectName(future.id(), object.getEpoch()), copy);
            remove(future, copy);
        }
    }

    /** Makes a realized future LOST: nobody holds its result. */
    public static void lose(LoadedFuture future) {
        future.change().clearResult();
        future.apply(Event.LOSE);
    }

    /** Drops the result of a future that is about to be removed: its holders are to delete the bytes. */
    public void discard(FutureTransaction futures, LoadedFuture future) {
        StoredObject object = future.record().getResult().getObject();
        for (Copy copy : object.getCopiesList()) {
            refuse(futures, new ObjectName(future.id(), object.getEpoch()), copy);
        }
        future.change().clearResult();
    }

    /** Tells the holder of a copy that no record names any more, or ever will, to delete the bytes. */
    public void refuse(FutureTransaction futures, ObjectName name, Copy copy) {
        keys.garbage.set(
                futures.transaction(),
                FutureKeys.PRESENT,
                copy.getSeat(),
                copy.getIncarnation(),
                name.future().value(),
                name.epoch());
        futures.mail(copy.getSeat(), name.future());
    }

    /** Whether the holder of a copy has been told to delete the bytes, and may not have done so yet. */
    CompletableFuture<Boolean> isOrdered(ReadTransaction transaction, ObjectName name, Copy copy) {
        return transaction
                .get(keys.garbage.key(
                        copy.getSeat(), copy.getIncarnation(), name.future().value(), name.epoch()))
                .thenApply(order -> order != null);
    }

    private static void replace(LoadedFuture future, StoredObject.Builder object) {
        future.change().setResult(future.record().getResult().toBuilder().setObject(object));
    }
}
