/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** What a ComputeWorker holds: one seat of a cluster, made by the operator. */
@NullMarked
package dev.ratchet.crds.worker;

import org.jspecify.annotations.NullMarked;
