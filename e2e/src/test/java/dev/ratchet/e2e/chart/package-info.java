/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Tests of the chart that need no cluster: lint, templates over many values, values that are refused, roles,
 * definitions.
 */
@NullMarked
package dev.ratchet.e2e.chart;

import org.jspecify.annotations.NullMarked;
