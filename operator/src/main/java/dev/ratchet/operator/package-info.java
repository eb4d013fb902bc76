/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The operator: custom resources to pods, and the long operations on them. */
@NullMarked
package dev.ratchet.operator;

import org.jspecify.annotations.NullMarked;
