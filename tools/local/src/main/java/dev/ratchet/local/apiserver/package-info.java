/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The API server stand-in: owns one HTTPS endpoint on loopback that speaks the Kubernetes API over objects in memory,
 * well enough that a stock {@code kubectl}, a fabric8 client and the operator can not tell it from a real one for the
 * kinds that it serves.
 */
@NullMarked
package dev.ratchet.local.apiserver;

import org.jspecify.annotations.NullMarked;
