/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.certificates;

/** Owns the names of the entries in Secrets that hold certificates. */
public final class SecretKeys {
    public static final String CERTIFICATE = "tls.crt";
    public static final String KEY = "tls.key";
    public static final String AUTHORITIES = "ca.crt";
    public static final String CONNECTION = "connection";
    static final String NEXT_CERTIFICATE = "next.crt";
    static final String NEXT_KEY = "next.key";

    private SecretKeys() {}
}
