/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

/**
 * What the input log has of a producer.
 *
 * @param sequence the last sequence that is durable, -1 for none
 * @param position where its rows lie in the log: positions are compared as text
 * @param repeated whether the request was there already, so that nothing was added
 */
public record Received(long sequence, String position, boolean repeated) {}
