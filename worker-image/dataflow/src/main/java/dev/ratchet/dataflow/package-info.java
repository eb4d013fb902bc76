/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * A circuit on the workers of a cluster: durable input, steps that all workers take together, checkpoints, recovery,
 * and the changes of views. {@link dev.ratchet.dataflow.process.Dataflow} puts it together;
 * {@link dev.ratchet.dataflow.InputLog} is where rows come in, {@link dev.ratchet.dataflow.ShareFeed} where the changes
 * of views go out.
 */
@NullMarked
package dev.ratchet.dataflow;

import org.jspecify.annotations.NullMarked;
