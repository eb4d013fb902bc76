/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What a ComputeCluster holds: the parts of its spec, written by people, and of its status, written by the operator.
 */
@NullMarked
package dev.ratchet.crds.cluster;

import org.jspecify.annotations.NullMarked;
