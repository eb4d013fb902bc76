/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/** A future that this one takes as an argument failed, was cancelled or is gone; this one was never started. */
public class UpstreamDependencyFailedException extends RatchetException {
    private static final long serialVersionUID = 1L;

    private final FutureId upstream;

    /**
     * @param message what happened, with which values, and what to do
     * @param upstream the future at the root of the failure, as far as it is known
     */
    public UpstreamDependencyFailedException(String message, FutureId upstream) {
        super(message);
        this.upstream = upstream;
    }

    /** The future at the root of the failure, as far as it is known. */
    public FutureId upstream() {
        return upstream;
    }
}
