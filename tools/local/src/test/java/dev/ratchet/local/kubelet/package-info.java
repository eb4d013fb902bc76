/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Tests of the process kubelet, with real processes. */
@NullMarked
package dev.ratchet.local.kubelet;

import org.jspecify.annotations.NullMarked;
