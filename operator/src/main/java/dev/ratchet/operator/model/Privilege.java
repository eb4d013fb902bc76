/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Owns the kinds of things that a pod template may ask for only where the administrator of the operator allows them.
 */
public enum Privilege {
    PRIVILEGED("Privileged"),
    HOST_NAMESPACES("HostNamespaces"),
    HOST_PATH("HostPath"),
    SERVICE_ACCOUNT("ServiceAccount"),
    ROOT("Root");

    private final String word;

    Privilege(String word) {
        this.word = word;
    }

    /** As it is written in settings and messages. */
    public String word() {
        return word;
    }

    /** The privilege that is written so, if there is one. */
    public static Optional<Privilege> of(String word) {
        return Arrays.stream(values())
                .filter(privilege -> privilege.word.equals(word))
                .findFirst();
    }

    /** All words, to be read by people. */
    public static String words() {
        return Arrays.stream(values()).map(Privilege::word).collect(Collectors.joining(", "));
    }
}
