/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The custom resources: Java model and the YAML generated from it. */
@NullMarked
package dev.ratchet.crds;

import org.jspecify.annotations.NullMarked;
