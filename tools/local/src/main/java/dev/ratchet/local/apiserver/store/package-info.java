/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Owns the objects: one counter of versions, one change log per kind that watches read, paged lists. */
@NullMarked
package dev.ratchet.local.apiserver.store;

import org.jspecify.annotations.NullMarked;
