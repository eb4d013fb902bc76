/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The circuit of a cluster over HTTP: rows in, views out, queries. */
@NullMarked
package dev.ratchet.dataflow.http;

import org.jspecify.annotations.NullMarked;
