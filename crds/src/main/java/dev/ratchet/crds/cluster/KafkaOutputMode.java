/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How repeated output is kept from readers. */
public enum KafkaOutputMode {
    /** One Kafka transaction per step. */
    @JsonProperty("Transactional")
    TRANSACTIONAL,

    /** Each record carries its step; readers drop what they have seen. */
    @JsonProperty("Deduplicated")
    DEDUPLICATED
}
