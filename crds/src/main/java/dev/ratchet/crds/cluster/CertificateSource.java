/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Who makes the certificates of a cluster. */
public enum CertificateSource {
    /** The operator, from an authority of its own per cluster. */
    @JsonProperty("Operator")
    OPERATOR,

    /** Somebody else, who puts them into Secrets. */
    @JsonProperty("Secret")
    SECRET,

    /** cert-manager, asked by Certificate objects. */
    @JsonProperty("CertManager")
    CERT_MANAGER
}
