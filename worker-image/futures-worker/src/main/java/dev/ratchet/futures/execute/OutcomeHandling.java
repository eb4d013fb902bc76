/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.recover.Reconstruction;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.futures.settle.OutcomeCommitter;
import java.util.function.BiConsumer;

/**
 * What becomes of what has run.
 *
 * @param committer records it
 * @param recorded is told of each outcome that was recorded
 * @param reconstruction has lost inputs made again
 */
public record OutcomeHandling(
        OutcomeCommitter committer, BiConsumer<FutureId, Outcome> recorded, Reconstruction reconstruction) {}
