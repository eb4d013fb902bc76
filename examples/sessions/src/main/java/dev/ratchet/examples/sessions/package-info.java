/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Three uses of sessions, each a program of its own: see docs/sessions.md. It owns nothing but what its tasks do. */
@NullMarked
package dev.ratchet.examples.sessions;

import org.jspecify.annotations.NullMarked;
