/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Owns the certificate authority of each cluster and every certificate below it: pure functions from the Secret that is
 * there to the Secret that should be.
 */
@NullMarked
package dev.ratchet.operator.certificates;

import org.jspecify.annotations.NullMarked;
