/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Runs what is claimed on the slots of this worker: inputs, admission, the attempt itself, and its handing over to be
 * recorded. Short futures run here before they are recorded, too.
 */
@NullMarked
package dev.ratchet.futures.execute;

import org.jspecify.annotations.NullMarked;
