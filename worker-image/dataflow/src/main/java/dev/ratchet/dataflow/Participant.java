/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

/**
 * A process of the run that is in force.
 *
 * @param number of the process, from 0
 * @param seat the seat that it holds
 * @param incarnation of the seat
 * @param address {@code host:port} where the worker serves gRPC
 */
public record Participant(int number, String seat, long incarnation, String address) {}
