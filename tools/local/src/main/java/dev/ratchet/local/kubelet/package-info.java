/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The process kubelet: owns the nodes of the local environment and runs each pod that is bound to one as real processes
 * of the operating system, each pod on a loopback address of its own. It talks to the API server as any kubelet does
 * and knows nothing of Ratchet but where its distribution lies.
 */
@NullMarked
package dev.ratchet.local.kubelet;

import org.jspecify.annotations.NullMarked;
