/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Where the suites run: {@code local} (`./ratchet up`) or {@code kubernetes} (any kubeconfig, the chart installed by
 * Helm). A suite knows only {@link dev.ratchet.e2e.environment.TestEnvironment}.
 */
@NullMarked
package dev.ratchet.e2e.environment;

import org.jspecify.annotations.NullMarked;
