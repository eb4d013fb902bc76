/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.schema;

/** How paths to fields are written in messages. */
public final class FieldPath {

    private FieldPath() {}

    public static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    public static String key(String path, String key) {
        return path + "[" + key + "]";
    }

    public static String index(String path, int index) {
        return path + "[" + index + "]";
    }
}
