/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** What a ComputeLayout holds: one epoch of a cluster, and the progress of getting there. */
@NullMarked
package dev.ratchet.crds.layout;

import org.jspecify.annotations.NullMarked;
