/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import dev.ratchet.circuits.circuit.Node;

/**
 * A stream remembered by a key.
 *
 * @param node with the key columns first, then the other columns in their order
 * @param places for each column of the stream, the column of the node
 */
record Arrangement(Node node, int[] places) {}
