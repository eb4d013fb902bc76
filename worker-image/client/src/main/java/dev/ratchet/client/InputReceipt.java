/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.io.Serializable;

/**
 * What a circuit has of a producer.
 *
 * @param sequence of its last request that is durable; -1 for none
 * @param position of the rows in the input of the circuit, as {@link ViewSnapshot#position}: a snapshot whose position
 *     is not below it, compared as text, has them. Empty for none.
 * @param isRepeated whether the request was there already, so that nothing was added
 */
public record InputReceipt(long sequence, String position, boolean isRepeated) implements Serializable {}
