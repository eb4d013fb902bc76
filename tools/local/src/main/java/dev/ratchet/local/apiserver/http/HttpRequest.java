/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.http;

import java.util.List;
import java.util.Map;

/**
 * One request, read completely.
 *
 * @param path decoded, without the query
 * @param query decoded; a parameter may occur several times
 * @param headers names in lower case; of repeated headers the values joined by a comma
 */
public record HttpRequest(
        String method, String path, Map<String, List<String>> query, Map<String, String> headers, byte[] body) {

    /** The first value of a query parameter; empty when it is absent. */
    public String parameter(String name) {
        List<String> values = query.get(name);
        return values == null || values.isEmpty() ? "" : values.get(0);
    }

    public boolean flag(String name) {
        String value = parameter(name);
        return value.equals("true") || value.equals("1") || (value.isEmpty() && query.containsKey(name));
    }

    /** A header by its name in lower case; empty when it is absent. */
    public String header(String name) {
        return headers.getOrDefault(name, "");
    }
}
