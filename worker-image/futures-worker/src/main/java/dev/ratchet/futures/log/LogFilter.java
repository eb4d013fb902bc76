/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.log;

import com.google.protobuf.ByteString;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.protocol.logs.v1.LogLine;
import java.util.Collection;
import java.util.Set;

/**
 * Which lines are wanted. Patterns are RE2's, which take time in proportion to the text: they come from anybody, and
 * are matched by workers.
 *
 * @param job empty: of any, or of none
 * @param futures empty: of any, or of none
 */
public record LogFilter(String job, Set<ByteString> futures, Pattern pattern) {

    private static final int PATTERN_CHARS_MAX = 1_000;

    /** A filter, whose pattern is compiled once. @throws InvalidInputException if {@code pattern} is no expression */
    public static LogFilter of(String job, Collection<ByteString> futures, String pattern) {
        if (pattern.length() > PATTERN_CHARS_MAX) {
            throw new InvalidInputException(
                    "A pattern has at most " + PATTERN_CHARS_MAX + " characters, not " + pattern.length() + ".");
        }
        try {
            return new LogFilter(job, Set.copyOf(futures), Pattern.compile(pattern));
        } catch (PatternSyntaxException malformed) {
            throw new InvalidInputException(
                    "'" + pattern + "' is no regular expression: " + malformed.getDescription() + ".", malformed);
        }
    }

    public boolean matches(LogLine line) {
        return (job.isEmpty() || job.equals(line.getJob()))
                && (futures.isEmpty() || futures.contains(line.getFuture()))
                && pattern.matcher(line.getText()).find();
    }
}
