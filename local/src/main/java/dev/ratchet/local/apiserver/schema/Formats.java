/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.schema;

import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.regex.Pattern;

/** The string formats that the real server checks; others are documentation. */
final class Formats {

    private static final Pattern DURATION = Pattern.compile("[-+]?([0-9]+(\\.[0-9]*)?(ns|us|µs|ms|s|m|h))+|0");
    private static final Pattern UUID =
            Pattern.compile("(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}");
    private static final Pattern IPV4 = Pattern.compile("([0-9]{1,3})(\\.[0-9]{1,3}){3}");

    private Formats() {}

    static boolean matches(String format, String text) {
        return switch (format) {
            case "date-time" -> parses(text, DateTimeFormatter.ISO_OFFSET_DATE_TIME);
            case "date" -> parses(text, DateTimeFormatter.ISO_LOCAL_DATE);
            case "duration" -> DURATION.matcher(text).matches();
            case "uuid" -> UUID.matcher(text).matches();
            case "ipv4" -> IPV4.matcher(text).matches();
            case "byte" -> isBase64(text);
            default -> true;
        };
    }

    private static boolean parses(String text, DateTimeFormatter formatter) {
        try {
            return formatter.parse(text) != null;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    private static boolean isBase64(String text) {
        try {
            return Base64.getDecoder().decode(text) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
