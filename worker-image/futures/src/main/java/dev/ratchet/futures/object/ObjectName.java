/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import dev.ratchet.client.FutureId;

/**
 * Names a result in the object stores: results of different attempts differ, so they have different names.
 *
 * @param epoch epoch of the claim that made it
 */
public record ObjectName(FutureId future, long epoch) {}
