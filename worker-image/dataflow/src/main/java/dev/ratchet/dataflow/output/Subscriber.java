/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.output;

import dev.ratchet.dataflow.ShareListener;

/** One that follows a view: what it was told last. */
final class Subscriber {

    final ShareListener listener;

    /** The last step that it knows, or {@link dev.ratchet.dataflow.ShareFeed#FROM_SNAPSHOT}. */
    long step;

    Subscriber(ShareListener listener, long step) {
        this.listener = listener;
        this.step = step;
    }
}
