/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The embedded engine served to other processes: sessions over gRPC, health and metrics over HTTP, and who may open a
 * session as whom.
 */
@NullMarked
package dev.ratchet.store.server;

import org.jspecify.annotations.NullMarked;
