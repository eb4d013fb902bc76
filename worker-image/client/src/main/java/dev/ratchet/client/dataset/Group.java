/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client.dataset;

import java.io.Serializable;
import java.util.List;

/** Elements with one key, at least one, in any order. */
public record Group<K, T>(K key, List<T> elements) implements Serializable {}
