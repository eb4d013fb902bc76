/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client.dataset;

import java.io.Serializable;

/** Two elements with equal keys. */
public record Pair<T, U>(T left, U right) implements Serializable {}
