/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Owns what the server asks of whoever has the logs of containers. */
@NullMarked
package dev.ratchet.local.apiserver.logs;

import org.jspecify.annotations.NullMarked;
