/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.patch;

/**
 * Who writes, as field ownership tells writers apart.
 *
 * @param operation {@code Apply} or {@code Update}
 * @param subresource empty for the object itself
 */
public record Manager(String name, String operation, String apiVersion, String subresource) {

    public Manager {
        // The real server allows 128 characters and refuses more; a user agent may be longer and is cut.
        name = name.length() > 128 ? name.substring(0, 128) : name;
    }

    public boolean isApply() {
        return operation.equals("Apply");
    }
}
