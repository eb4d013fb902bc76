/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.nesting;

/**
 * A task as its worker sees it.
 *
 * @param context what it may do
 * @param store what it has done to the store
 * @param slot what its thread occupies
 */
public record RunningTask(AttemptContext context, StagedStore store, Slot slot) {}
