/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

class MemoryExchangeTest extends ExchangeConformance {

    private final MemoryExchange.Hub hub = new MemoryExchange.Hub();

    @Override
    ExchangeTransport process(int number) {
        return new MemoryExchange(hub, "process-" + number);
    }
}
