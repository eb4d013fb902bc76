/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Processes beside the worker that run isolated tasks: one task at a time each, over one socket, beside tasks that wait
 * for other futures where these are many; the worker keeps the claim and records the outcome.
 */
@NullMarked
package dev.ratchet.futures.isolation;

import org.jspecify.annotations.NullMarked;
