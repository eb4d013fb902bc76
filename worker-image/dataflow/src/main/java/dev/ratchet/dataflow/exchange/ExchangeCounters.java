/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

import dev.ratchet.membership.Metric;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** What the exchange of a process counts over all runs. */
final class ExchangeCounters {

    final LongAdder sentBytes = new LongAdder();
    final LongAdder receivedBytes = new LongAdder();
    final LongAdder meetings = new LongAdder();
    final LongAdder connections = new LongAdder();

    List<Metric> all() {
        return List.of(
                Metric.counter(
                        "circuit_exchange_sent_bytes_total",
                        "Bytes of frames to the other processes of the circuit",
                        sentBytes::sum),
                Metric.counter(
                        "circuit_exchange_received_bytes_total",
                        "Bytes of frames from the other processes of the circuit",
                        receivedBytes::sum),
                Metric.counter(
                        "circuit_exchange_meetings_total",
                        "Meetings with the other processes of the circuit",
                        meetings::sum),
                Metric.counter(
                        "circuit_exchange_connections_total",
                        "Connections to and from other processes of the circuit over which frames could pass",
                        connections::sum));
    }
}
