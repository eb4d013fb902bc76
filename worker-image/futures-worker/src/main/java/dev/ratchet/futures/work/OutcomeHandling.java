/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import dev.ratchet.client.FutureId;
import java.util.function.BiConsumer;

/**
 * What becomes of what has run.
 *
 * @param committer records it
 * @param recorded is told of each outcome that was recorded
 * @param reconstruction has lost inputs made again
 */
record OutcomeHandling(
        OutcomeCommitter committer, BiConsumer<FutureId, Outcome> recorded, Reconstruction reconstruction) {}
