/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.session.SlotCapacity;

/**
 * How much a worker runs at a time.
 *
 * @param threads how many run users' code
 * @param tasks what tasks may take together; its processors follow from the threads
 * @param sessions what its sessions may take
 */
public record WorkerCapacity(int threads, Capacity tasks, SlotCapacity sessions) {}
