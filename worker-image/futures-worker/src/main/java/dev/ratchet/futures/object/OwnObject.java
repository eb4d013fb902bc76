/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import io.grpc.Status;
import java.io.IOException;

/** Gives an object of the own store to a relay, one piece at a time. */
final class OwnObject {

    private final ObjectReader object;
    private final ValueRelay.Call call;

    /** @param object is closed by the call */
    OwnObject(ObjectReader object, ValueRelay.Call call) {
        this.object = object;
        this.call = call;
    }

    /** Sends the next piece, or the end. */
    void next() {
        try {
            if (object.hasNext()) {
                call.pass(object.next(), this::next);
            } else {
                call.complete();
            }
        } catch (IOException failure) {
            call.fail(Status.UNAVAILABLE, "The object can not be read: " + failure.getMessage());
        }
    }
}
