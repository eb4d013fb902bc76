/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** How a process learns what others have written in the store. */
@NullMarked
package dev.ratchet.dataflow.follow;

import org.jspecify.annotations.NullMarked;
