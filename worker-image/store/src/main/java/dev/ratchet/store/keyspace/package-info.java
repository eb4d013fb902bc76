/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The key layout, declared once as data: the root of a cluster, the tables each module declares under it, how values
 * are encoded, and how any of it is printed. Every persisted value begins with a format id.
 */
@NullMarked
package dev.ratchet.store.keyspace;

import org.jspecify.annotations.NullMarked;
