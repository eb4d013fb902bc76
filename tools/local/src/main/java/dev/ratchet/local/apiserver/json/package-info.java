/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** JSON as the API server reads and writes it, paths into it, and what is wrong at one of them. */
@NullMarked
package dev.ratchet.local.apiserver.json;

import org.jspecify.annotations.NullMarked;
