/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import dev.ratchet.circuits.circuit.Node;
import dev.ratchet.circuits.operator.Retention;

/**
 * A stream remembered by a key.
 *
 * @param node with the key columns first, then the other columns in their order
 * @param places for each column of the stream, the column of the node
 * @param retention what of it must be remembered; every reader adds to it
 */
record Arrangement(Node node, int[] places, Retention retention) {}
