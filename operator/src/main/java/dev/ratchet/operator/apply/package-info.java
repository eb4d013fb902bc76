/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Owns every write to the API server but those of the primary's status: create, server-side apply, delete, and none
 * when nothing differs.
 */
@NullMarked
package dev.ratchet.operator.apply;

import org.jspecify.annotations.NullMarked;
