/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The gRPC services between operator, coordinator, workers, clients and store, and how callers prove who they are. */
@NullMarked
package dev.ratchet.protocol.security;

import org.jspecify.annotations.NullMarked;
