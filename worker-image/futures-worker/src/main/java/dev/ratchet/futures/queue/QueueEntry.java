/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import dev.ratchet.client.FutureId;

/**
 * A place in the queue. It is void unless the record of the future is QUEUED with this ticket: what leaves the queue
 * other than by a claim leaves its entry behind, and whoever finds it removes it.
 *
 * @param key where the entry is
 */
public record QueueEntry(byte[] key, FutureId id, long ticket) {}
