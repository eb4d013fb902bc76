/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Views that become files, one for each step that changes them: {@link dev.ratchet.dataflow.sink.Sinks}. */
@NullMarked
package dev.ratchet.dataflow.sink;

import org.jspecify.annotations.NullMarked;
