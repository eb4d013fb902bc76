/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Calls that go to other processes and do nothing there, measured alike for every system that can make them. Plain
 * Java, so that peers are compiled with it on class paths of their own.
 */
@NullMarked
package dev.ratchet.bench.calls;

import org.jspecify.annotations.NullMarked;
