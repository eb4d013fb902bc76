/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Owns the shape of every Kubernetes object of a cluster: custom resource in, objects out, without a client, a clock or
 * a cache.
 */
@NullMarked
package dev.ratchet.operator.model;

import org.jspecify.annotations.NullMarked;
