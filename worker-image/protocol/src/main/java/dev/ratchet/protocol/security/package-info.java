/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Who is calling: identities, mutual TLS whose files may change while the process runs, the token of a laptop, and the
 * rule which kind of caller may use which service.
 */
@NullMarked
package dev.ratchet.protocol.security;

import org.jspecify.annotations.NullMarked;
