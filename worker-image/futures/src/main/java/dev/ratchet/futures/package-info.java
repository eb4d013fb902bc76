/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Durable futures: lifecycle, claims, code, object store; implements the client API. */
@NullMarked
package dev.ratchet.futures;

import org.jspecify.annotations.NullMarked;
