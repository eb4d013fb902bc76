/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.schema;

import dev.cel.common.values.CelByteString;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The string formats that the real server checks; others are documentation. */
final class StringFormats {

    private static final Pattern DURATION = Pattern.compile("[-+]?([0-9]+(\\.[0-9]*)?(ns|us|µs|ms|s|m|h))+|0");
    private static final Pattern DURATION_PART = Pattern.compile("([0-9]+(?:\\.[0-9]*)?)(ns|us|µs|ms|s|m|h)");
    private static final Pattern UUID =
            Pattern.compile("(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}");
    private static final Pattern IPV4 = Pattern.compile("([0-9]{1,3})(\\.[0-9]{1,3}){3}");

    private StringFormats() {}

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

    /** The value of CEL that a text of a format is; the text itself where it is not of its format. */
    static Object value(String format, String text) {
        if (!matches(format, text)) {
            return text;
        }
        return switch (format) {
            case "date-time" -> OffsetDateTime.parse(text).toInstant();
            case "date" -> LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC);
            case "duration" -> duration(text);
            case "byte" -> CelByteString.of(Base64.getDecoder().decode(text));
            default -> text;
        };
    }

    private static Duration duration(String text) {
        BigDecimal nanos = BigDecimal.ZERO;
        Matcher part = DURATION_PART.matcher(text);
        while (part.find()) {
            long unit =
                    switch (part.group(2)) {
                        case "ns" -> 1;
                        case "us", "µs" -> 1_000;
                        case "ms" -> 1_000_000;
                        case "s" -> 1_000_000_000L;
                        case "m" -> 60_000_000_000L;
                        default -> 3_600_000_000_000L;
                    };
            nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
        }
        return Duration.ofNanos((text.startsWith("-") ? nanos.negate() : nanos).longValue());
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
