/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.logs;

import dev.ratchet.client.InvalidInputException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

/** Where each worker's lines were read to, in one word that a command takes up again. */
public record LogCursor(boolean reverse, Map<String, Position> seats) {

    /**
     * A place in the lines of one worker.
     *
     * @param started when the process began, in milliseconds; 0 = not known
     * @param number of a line: the next one, or in the other direction the last one that was read
     */
    public record Position(long started, long number) {}

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(reverse ? "r" : "f");
        new TreeMap<>(seats).forEach((seat, at) -> text.append(' ')
                .append(seat)
                .append(' ')
                .append(at.started())
                .append(' ')
                .append(at.number()));
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Reads what {@link #toString} has written. @throws InvalidInputException if the text was never a cursor */
    public static LogCursor parse(String text) {
        try {
            String[] words = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8).split(" ", -1);
            if ((!words[0].equals("r") && !words[0].equals("f")) || words.length % 3 != 1) {
                throw new IllegalArgumentException("no cursor");
            }
            Map<String, Position> seats = new TreeMap<>();
            for (int i = 1; i < words.length; i += 3) {
                seats.put(words[i], new Position(Long.parseLong(words[i + 1]), Long.parseLong(words[i + 2])));
            }
            return new LogCursor(words[0].equals("r"), seats);
        } catch (IllegalArgumentException malformed) {
            throw new InvalidInputException(
                    "'" + text + "' is no cursor. Take the one that the command before has told.", malformed);
        }
    }
}
