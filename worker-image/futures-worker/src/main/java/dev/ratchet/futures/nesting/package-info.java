/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** What running tasks do with the cluster: submit children, await them without occupying a slot. */
@NullMarked
package dev.ratchet.futures.nesting;

import org.jspecify.annotations.NullMarked;
