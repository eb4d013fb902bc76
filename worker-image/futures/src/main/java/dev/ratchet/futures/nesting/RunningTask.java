/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.nesting;

import dev.ratchet.client.TaskContext;
import dev.ratchet.futures.record.Effects;

/** A task as its worker sees it: what it may do, and what it has done beyond its return value. */
public interface RunningTask extends TaskContext {

    /** What is to be stored with its result. */
    Effects effects();
}
