/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import dev.ratchet.operator.model.Certificate;
import java.util.Map;
import java.util.Optional;

/**
 * Owns what was asked of cert-manager for one cluster.
 *
 * @param obstacle why nothing can be asked, with the remedy
 * @param byName the Certificate objects; empty for a cluster that does not use cert-manager
 */
public record RequestedCertificates(Optional<String> obstacle, Map<String, Certificate> byName) {
    public static final RequestedCertificates NONE = new RequestedCertificates(Optional.empty(), Map.of());

    public RequestedCertificates {
        byName = Map.copyOf(byName);
    }
}
