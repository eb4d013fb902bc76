/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.record;

/** The shards that a run gives a process are none that it can open: the run can not be taken part in. */
public final class LayoutRefusedException extends RuntimeException {

    public LayoutRefusedException(String message) {
        super(message);
    }
}
