/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Users' code on its way: artifacts, functions, serialisation, class loaders. */
@NullMarked
package dev.ratchet.futures.code;

import org.jspecify.annotations.NullMarked;
