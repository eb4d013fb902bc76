/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** A view of large orders that feeds a task: {@link dev.ratchet.examples.invoices.Invoices}. */
package dev.ratchet.examples.invoices;
