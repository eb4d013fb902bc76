/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The open port of every process of a cluster: probes and metrics over plain HTTP, and nothing of what is computed. */
@NullMarked
package dev.ratchet.protocol.health;

import org.jspecify.annotations.NullMarked;
