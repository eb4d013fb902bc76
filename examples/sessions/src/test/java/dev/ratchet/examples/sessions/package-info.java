/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The examples, run on two workers of this process. */
@NullMarked
package dev.ratchet.examples.sessions;

import org.jspecify.annotations.NullMarked;
