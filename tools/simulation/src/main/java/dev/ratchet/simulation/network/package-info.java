/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** gRPC between simulated processes: the real stubs and services, over a network that can be slow, cut and reset. */
@NullMarked
package dev.ratchet.simulation.network;

import org.jspecify.annotations.NullMarked;
