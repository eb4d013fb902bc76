/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The last lines that a worker has logged and that tasks have printed. */
@NullMarked
package dev.ratchet.futures.log;

import org.jspecify.annotations.NullMarked;
