/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import java.util.List;

/** The process can not start as it was configured. Starting it again is of no use until somebody corrects that. */
final class ConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> mistakes;

    ConfigurationException(List<String> mistakes) {
        super(String.join("; ", mistakes));
        this.mistakes = List.copyOf(mistakes);
    }

    /** One line each, for people. */
    List<String> mistakes() {
        return mistakes;
    }
}
