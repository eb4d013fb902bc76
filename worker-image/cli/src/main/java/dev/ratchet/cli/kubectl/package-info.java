/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What the plugin asks of Kubernetes, by calling {@code kubectl}: its configuration, credentials and proxies are the
 * user's own, and this program needs no client of Kubernetes.
 */
@NullMarked
package dev.ratchet.cli.kubectl;

import org.jspecify.annotations.NullMarked;
