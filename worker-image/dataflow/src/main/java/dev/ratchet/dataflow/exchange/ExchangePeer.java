/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

/**
 * A process of a run, as the others reach it.
 *
 * @param seat the seat that it holds
 * @param incarnation of the seat: another process of the same seat is another peer
 * @param address {@code host:port} where its {@link ExchangeTransport} listens
 */
public record ExchangePeer(String seat, long incarnation, String address) {}
