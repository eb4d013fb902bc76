/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

/**
 * What this process has of the views of the circuit: its share of their rows and of the changes of each step. The sum
 * over all processes of the circuit, for the same step, is the view.
 */
public interface ShareFeed {

    /** Begin with the rows of the view. */
    long FROM_SNAPSHOT = -1;

    /** A life of the circuit that is not known. */
    long ANY_LIFE = 0;

    /**
     * Tells the listener the share of a view and its changes, step by step without a gap, until it is closed or the run
     * of the circuit ends.
     *
     * @param life of the circuit to which the steps belong, or {@link #ANY_LIFE}
     * @param afterStep the last step that the listener knows already, or {@link #FROM_SNAPSHOT}
     * @throws IllegalArgumentException where there is no such view in that life
     */
    Subscription follow(String view, long life, long afterStep, ShareListener listener);

    /** As the other one, in whichever life the circuit is. */
    default Subscription follow(String view, long afterStep, ShareListener listener) {
        return follow(view, ANY_LIFE, afterStep, listener);
    }

    /** One that follows. */
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
