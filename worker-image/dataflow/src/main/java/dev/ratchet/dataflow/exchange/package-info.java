/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Where the processes of a circuit meet: {@link dev.ratchet.dataflow.exchange.ExchangeTransport}. */
@NullMarked
package dev.ratchet.dataflow.exchange;

import org.jspecify.annotations.NullMarked;
