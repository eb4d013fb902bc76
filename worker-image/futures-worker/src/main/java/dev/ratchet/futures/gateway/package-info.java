/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** What clients ask of a worker. */
@NullMarked
package dev.ratchet.futures.gateway;

import org.jspecify.annotations.NullMarked;
