/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What protocol code stands on: time, threads and randomness as constructor arguments, so that it runs unchanged in the
 * simulator, and tables of which state follows which.
 */
@NullMarked
package dev.ratchet.environment;

import org.jspecify.annotations.NullMarked;
