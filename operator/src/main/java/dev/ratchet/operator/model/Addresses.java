/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

/** Owns how an address and a port are written: an IPv6 address goes into brackets. */
public final class Addresses {
    private Addresses() {}

    public static String of(String host, int port) {
        return host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port;
    }
}
