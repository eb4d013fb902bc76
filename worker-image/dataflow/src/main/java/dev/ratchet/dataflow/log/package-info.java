/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The input log in the store: {@link dev.ratchet.dataflow.log.StoredInputLog}. */
@NullMarked
package dev.ratchet.dataflow.log;

import org.jspecify.annotations.NullMarked;
