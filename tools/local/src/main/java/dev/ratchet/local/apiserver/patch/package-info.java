/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Owns the ways to change an object: JSON patch, merge patch, strategic merge patch, and server-side apply with its
 * field ownership.
 */
@NullMarked
package dev.ratchet.local.apiserver.patch;

import org.jspecify.annotations.NullMarked;
