/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import dev.ratchet.protocol.security.Identity;
import java.util.Optional;

/** Who may use the circuit over HTTP, by certificate. Safe for use by several threads; asked at each request. */
@FunctionalInterface
public interface ClientAccess {

    /**
     * Why a caller may not do something; empty where he may.
     *
     * @param writes whether it adds rows
     */
    Optional<String> refusal(Identity caller, boolean writes);
}
