/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/** What is asked of cert-manager; the names are those of its API. Fields that we do not use are left alone. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public final class CertificateSpec {
    /** The Secret that it writes. */
    public String secretName = "";

    /** {@code labels} of that Secret. */
    public Map<String, Map<String, String>> secretTemplate = Map.of();

    public String commonName = "";

    /** In Go's notation, such as {@code 2160h0m0s}. */
    public String duration = "";

    public List<String> uris = List.of();
    public List<String> dnsNames = List.of();
    public List<String> usages = List.of();

    /** {@code algorithm}, {@code size}, {@code encoding}, {@code rotationPolicy}. */
    public Map<String, Object> privateKey = Map.of();

    /** {@code group}, {@code kind}, {@code name}. */
    public Map<String, String> issuerRef = Map.of();
}
