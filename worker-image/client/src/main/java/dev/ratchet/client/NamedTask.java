/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/**
 * A task by its name: a public static method of a class in the artifacts of the connection. The method takes no
 * parameter or one {@code String}, and returns something serialisable.
 *
 * @param argument given to a method with a parameter
 */
public record NamedTask(String className, String method, String argument) {

    /**
     * Reads {@code com.acme.Main::method}.
     *
     * @throws InvalidInputException if the text has another form
     */
    public static NamedTask parse(String text, String argument) {
        int separator = text.indexOf("::");
        if (separator <= 0 || separator + 2 >= text.length()) {
            throw new InvalidInputException("A task is named as com.acme.Main::method, and not '" + text + "'.");
        }
        return new NamedTask(text.substring(0, separator), text.substring(separator + 2), argument);
    }
}
