/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Owns what a structural OpenAPI schema means: validation with field paths, defaults, pruning, CEL rules; and the
 * schemas of the built-in kinds.
 */
@NullMarked
package dev.ratchet.local.apiserver.schema;

import org.jspecify.annotations.NullMarked;
