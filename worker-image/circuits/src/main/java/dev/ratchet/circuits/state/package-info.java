/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The state database of a worker: what its circuits remember, in two committed versions that share batch files. Begin
 * with {@link dev.ratchet.circuits.state.StateDatabase}.
 */
@NullMarked
package dev.ratchet.circuits.state;

import org.jspecify.annotations.NullMarked;
