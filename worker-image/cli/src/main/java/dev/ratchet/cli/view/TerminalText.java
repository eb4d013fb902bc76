/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.view;

import java.util.regex.Pattern;

/**
 * What others have written, made harmless for a terminal: names, notes and messages of exceptions come from anybody's
 * tasks, and a terminal obeys what is in them. Characters that control it or turn the direction of the text are shown
 * by their numbers. Logs are shown as they were printed.
 */
public final class TerminalText {

    private static final Pattern LINE_END = Pattern.compile("\\s*\\R\\s*");

    private TerminalText() {}

    /** The text as one line. */
    public static String line(String text) {
        return lines(LINE_END.matcher(text).replaceAll(" ").replace("\t", " "));
    }

    /** The text with its lines and tabs. */
    public static String lines(String text) {
        StringBuilder harmless = new StringBuilder(text.length());
        text.replace("\r\n", "\n").chars().forEach(unit -> {
            if (isHarmless((char) unit)) {
                harmless.append((char) unit);
            } else {
                harmless.append(String.format("\\u%04x", unit));
            }
        });
        return harmless.toString();
    }

    private static boolean isHarmless(char unit) {
        return switch (Character.getDirectionality(unit)) {
            case Character.DIRECTIONALITY_LEFT_TO_RIGHT_EMBEDDING,
                    Character.DIRECTIONALITY_LEFT_TO_RIGHT_OVERRIDE,
                    Character.DIRECTIONALITY_LEFT_TO_RIGHT_ISOLATE,
                    Character.DIRECTIONALITY_RIGHT_TO_LEFT_EMBEDDING,
                    Character.DIRECTIONALITY_RIGHT_TO_LEFT_OVERRIDE,
                    Character.DIRECTIONALITY_RIGHT_TO_LEFT_ISOLATE,
                    Character.DIRECTIONALITY_FIRST_STRONG_ISOLATE,
                    Character.DIRECTIONALITY_POP_DIRECTIONAL_FORMAT,
                    Character.DIRECTIONALITY_POP_DIRECTIONAL_ISOLATE -> false;
            default -> unit == '\n' || unit == '\t' || !Character.isISOControl(unit);
        };
    }
}
