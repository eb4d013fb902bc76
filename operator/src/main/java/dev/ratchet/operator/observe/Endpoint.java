/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

/** Owns where a worker answers: the seat it must prove to hold, and {@code host:port}. */
public record Endpoint(String seat, String address) {}
