/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The worker process: wiring, configuration, health, metrics. */
@NullMarked
package dev.ratchet.worker;

import org.jspecify.annotations.NullMarked;
