/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The environment without Kubernetes: API server stand-in and process kubelet. */
@NullMarked
package dev.ratchet.local;

import org.jspecify.annotations.NullMarked;
