/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What commands show: tables for people, JSON and YAML with field names that stay for programs, and what has changed
 * since the last look. Knows nothing of a cluster.
 */
@NullMarked
package dev.ratchet.cli.view;

import org.jspecify.annotations.NullMarked;
