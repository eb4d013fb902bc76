/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Rows of views and answers to queries: {@link dev.ratchet.dataflow.query.ViewAnswers}. */
@NullMarked
package dev.ratchet.dataflow.query;

import org.jspecify.annotations.NullMarked;
