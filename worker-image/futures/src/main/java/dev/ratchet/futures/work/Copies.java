/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.futures.v1.StoredObject;
import java.util.ArrayList;
import java.util.List;

/**
 * Who holds the result of a future: the list in its record and the index by holder, which change together and only
 * here. A result that loses its last copy makes its future LOST.
 */
final class Copies {

    private final FutureKeys keys;

    Copies(FutureKeys keys) {
        this.keys = keys;
    }

    /** Whether the future is realized and its result is this object. */
    static boolean isResult(LoadedFuture future, ObjectName name) {
        return future.state() == State.STATE_REALIZED
                && future.record().getResult().hasObject()
                && future.record().getResult().getObject().getEpoch() == name.epoch();
    }

    /** Lists the copies of a result that has just been recorded. */
    void list(FutureTransaction futures, LoadedFuture future) {
        StoredObject object = future.record().getResult().getObject();
        object.getCopiesList()
                .forEach(copy -> futures.transaction().set(key(future, object, copy), FutureKeys.PRESENT));
    }

    /** Adds a copy; without effect if it is known. */
    void add(FutureTransaction futures, LoadedFuture future, Copy copy) {
        StoredObject object = future.record().getResult().getObject();
        if (!object.getCopiesList().contains(copy)) {
            futures.transaction().set(key(future, object, copy), FutureKeys.PRESENT);
            replace(future, object.toBuilder().addCopies(copy));
        }
    }

    /** Removes a copy; without effect if it is not known. The future may be LOST afterwards. */
    void remove(FutureTransaction futures, LoadedFuture future, Copy copy) {
        StoredObject object = future.record().getResult().getObject();
        List<Copy> others = new ArrayList<>(object.getCopiesList());
        if (!others.remove(copy)) {
            return;
        }
        futures.transaction().clear(key(future, object, copy));
        if (others.isEmpty()) {
            lose(futures, future);
        } else {
            replace(future, object.toBuilder().clearCopies().addAllCopies(others));
        }
    }

    /** Makes a realized future LOST: nobody holds its result. */
    void lose(FutureTransaction futures, LoadedFuture future) {
        StoredObject object = future.record().getResult().getObject();
        object.getCopiesList().forEach(copy -> futures.transaction().clear(key(future, object, copy)));
        future.change().clearResult();
        future.apply(Event.LOSE);
    }

    private byte[] key(LoadedFuture future, StoredObject object, Copy copy) {
        return keys.held.key(copy.getSeat(), copy.getIncarnation(), future.id().value(), object.getEpoch());
    }

    private static void replace(LoadedFuture future, StoredObject.Builder object) {
        future.change().setResult(future.record().getResult().toBuilder().setObject(object));
    }
}
