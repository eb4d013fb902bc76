/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What must hold for a user, whatever the environment: each suite speaks kubectl and the client API, nothing internal.
 * Run by {@code e2e/run}.
 */
@NullMarked
package dev.ratchet.e2e.suite;

import org.jspecify.annotations.NullMarked;
