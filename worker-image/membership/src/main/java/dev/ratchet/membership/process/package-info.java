/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Membership of one worker process, put together from the other packages of this module; none of them knows it. */
@NullMarked
package dev.ratchet.membership.process;

import org.jspecify.annotations.NullMarked;
