/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.rest;

import dev.ratchet.local.apiserver.model.ApiException;

/** The forms in which objects can be asked for. */
enum Form {
    FULL,
    TABLE,
    METADATA;

    /** The first form of an Accept header that is served. */
    static Form of(String accept) {
        if (accept.isBlank()) {
            return FULL;
        }
        for (String part : accept.split(",", -1)) {
            String entry = part.replace(" ", "");
            boolean isMeta = entry.contains("g=meta.k8s.io");
            if (entry.startsWith("application/json") && isMeta && entry.contains("as=Table")) {
                return TABLE;
            }
            if (entry.startsWith("application/json") && isMeta && entry.contains("as=PartialObjectMetadata")) {
                return METADATA;
            }
            boolean isOther = entry.contains("as=") && !entry.contains("as=APIGroup");
            boolean isJson = entry.startsWith("application/json")
                    || entry.startsWith("*/*")
                    || entry.startsWith("application/*")
                    || entry.startsWith("text/");
            if (isJson && !isOther) {
                return FULL;
            }
        }
        throw ApiException.notAcceptable("only application/json is served, not " + accept);
    }
}
