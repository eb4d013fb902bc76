/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

/**
 * A request and what two servers must agree on in its answer. Identities, versions and tokens, which each server makes
 * by itself, are replaced by words.
 */
record Exchange(String request, int code, String reason, String message) {

    static Exchange of(String method, String path, Reply reply) {
        return new Exchange(method + " " + neutral(path), reply.code(), reply.reason(), neutral(reply.message()));
    }

    private static String neutral(String text) {
        return text.replaceAll("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UID")
                // Newer servers say which key of their store it was.
                .replaceAll("StorageError: .* AdditionalErrorMsg: ", "")
                .replaceAll("(resourceVersion=|ResourceVersion in [a-z ]+: )[0-9]+", "$1VERSION")
                .replaceAll("continue=[^&]+", "continue=TOKEN");
    }

    @Override
    public String toString() {
        return request + " -> " + code + " " + reason + " " + message;
    }
}
