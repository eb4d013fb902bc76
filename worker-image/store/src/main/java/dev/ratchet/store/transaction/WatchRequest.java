/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import org.jspecify.annotations.Nullable;

/**
 * Waits for a change of one key.
 *
 * @param expected the value that is not news, null for absent
 * @param version the version at which the value was the expected one, or may be
 */
public record WatchRequest(byte[] key, byte @Nullable [] expected, long version) {}
