/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.log;

import dev.ratchet.client.FutureId;

/** On whose behalf a line was written. */
public record LogOwner(FutureId future, String job) {}
