/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The commands that work on a store: serve it, save and restore it, clear a cluster's part of it, show its keys. */
@NullMarked
package dev.ratchet.cli.store;

import org.jspecify.annotations.NullMarked;
