/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Finds what is wrong in the tables of a cluster's futures, while the cluster runs. */
@NullMarked
package dev.ratchet.futures.check;

import org.jspecify.annotations.NullMarked;
