/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.store;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What the environment says where the command line says nothing. */
final class Variables {

    private Variables() {}

    static @Nullable Path path(@Nullable Path given, String variable) {
        String value = given == null ? text(null, variable) : null;
        return value == null ? given : Path.of(value);
    }

    static @Nullable String text(@Nullable String given, String variable) {
        String value = given == null ? System.getenv(variable) : given;
        return value == null || value.isBlank() ? null : value;
    }

    /** As {@link #text}, or a message that names both ways to give it. */
    static String required(@Nullable String given, String option, String variable) {
        String value = text(given, variable);
        if (value == null) {
            throw new IllegalArgumentException("Give " + option + " or set " + variable);
        }
        return value;
    }

    /** An address as it stands before a port: IPv6 in brackets. */
    static String host(String address) {
        return address.contains(":") ? "[" + address + "]" : address;
    }
}
