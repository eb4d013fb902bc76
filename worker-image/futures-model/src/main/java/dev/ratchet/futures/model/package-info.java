/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** What clients and workers share of futures: ids, failures, scheduling, sizes, messages. No store. */
@NullMarked
package dev.ratchet.futures.model;

import org.jspecify.annotations.NullMarked;
