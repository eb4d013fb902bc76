/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

/**
 * Who a client finds at the other end of its connection.
 *
 * @param namespace of the cluster
 * @param cluster its name
 * @param release of Ratchet
 */
public record GatewayIdentity(String namespace, String cluster, String release) {}
