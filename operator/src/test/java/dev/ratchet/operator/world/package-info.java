/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * A Kubernetes cluster in memory, as small as the planners' tests need it: objects, a kubelet, workers and their
 * coordinator.
 */
@NullMarked
package dev.ratchet.operator.world;

import org.jspecify.annotations.NullMarked;
