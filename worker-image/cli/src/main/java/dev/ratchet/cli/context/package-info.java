/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The clusters that a user has given names, and the commands that keep them. */
@NullMarked
package dev.ratchet.cli.context;

import org.jspecify.annotations.NullMarked;
