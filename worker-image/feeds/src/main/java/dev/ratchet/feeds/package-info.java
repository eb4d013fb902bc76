/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Views of a circuit that feed tasks: {@link dev.ratchet.feeds.FeedDuty}. */
@NullMarked
package dev.ratchet.feeds;

import org.jspecify.annotations.NullMarked;
