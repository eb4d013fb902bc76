/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Clusters in virtual time: the production classes of membership and futures, wired as a worker wires them. */
@NullMarked
package dev.ratchet.simulation.cluster;

import org.jspecify.annotations.NullMarked;
