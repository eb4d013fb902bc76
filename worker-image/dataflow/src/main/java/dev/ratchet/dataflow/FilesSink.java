/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

/**
 * An output that writes a file for each step that changes a view, as the configuration of the cluster names it.
 *
 * @param name among the outputs of the circuit; letters, digits and underscores
 * @param view by its name, in any case
 * @param folder where this process finds it
 */
public record FilesSink(String name, String view, String folder, RowFormat format) {}
