/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The one worker that speaks for the cluster: elected by a term, it tells workers what to do and the operator what is.
 */
@NullMarked
package dev.ratchet.membership.coordinator;

import org.jspecify.annotations.NullMarked;
