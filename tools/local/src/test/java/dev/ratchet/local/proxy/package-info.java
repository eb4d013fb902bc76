/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Tests of the service network. */
@NullMarked
package dev.ratchet.local.proxy;

import org.jspecify.annotations.NullMarked;
