/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.main;

/** Owns the release of this operator; a test holds it to the version in the build. */
public final class Release {
    public static final String VERSION = "0.1.0";

    private Release() {}
}
