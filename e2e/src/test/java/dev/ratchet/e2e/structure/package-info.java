/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The rules of the code as tests: which module may know which, and what a tidy file is. */
@NullMarked
package dev.ratchet.e2e.structure;

import org.jspecify.annotations.NullMarked;
