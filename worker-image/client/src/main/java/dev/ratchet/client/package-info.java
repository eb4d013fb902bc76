/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The user API: interfaces and records only, without dependencies; what user jars compile against. */
@NullMarked
package dev.ratchet.client;

import org.jspecify.annotations.NullMarked;
