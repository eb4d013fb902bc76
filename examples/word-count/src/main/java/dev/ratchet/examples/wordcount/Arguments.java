/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.wordcount;

import dev.ratchet.client.InvalidInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * What the program was called with: {@code FOLDER [--output FILE] [--piece-bytes N] [--piece-millis N] [--top N]
 * [--pause-at P,P…]}.
 *
 * @param pieceBytes size of the pieces that one future counts, 1 to 4 MiB
 * @param pieceMillis how long counting a piece takes at least, 0 to 60,000: work of a size that can be watched
 * @param top how many words to print
 * @param pausesPercent where to print {@code paused at P %} and wait for a line of input, ascending
 */
record Arguments(
        Path folder, Optional<Path> output, int pieceBytes, int pieceMillis, int top, List<Integer> pausesPercent) {

    private static final int PIECE_BYTES = 256 << 10;
    private static final int PIECE_BYTES_MAX = 4 << 20;
    private static final int PIECE_MILLIS_MAX = 60_000;
    private static final int TOP_MAX = 1_000_000;

    static Arguments parse(List<String> words) {
        Optional<Path> folder = Optional.empty();
        Optional<Path> output = Optional.empty();
        int pieceBytes = PIECE_BYTES;
        int pieceMillis = 0;
        int top = 10;
        List<Integer> pauses = new ArrayList<>();
        Iterator<String> rest = words.iterator();
        while (rest.hasNext()) {
            String word = rest.next();
            switch (word) {
                case "--output" -> output = Optional.of(outputFile(value(word, rest)));
                case "--piece-bytes" -> pieceBytes = number(word, value(word, rest), 1, PIECE_BYTES_MAX);
                case "--piece-millis" -> pieceMillis = number(word, value(word, rest), 0, PIECE_MILLIS_MAX);
                case "--top" -> top = number(word, value(word, rest), 0, TOP_MAX);
                case "--pause-at" -> {
                    for (String percent : value(word, rest).split(",", -1)) {
                        pauses.add(number(word, percent, 0, 100));
                    }
                }
                default -> {
                    if (word.startsWith("--") || folder.isPresent()) {
                        throw new InvalidInputException(
                                "'" + word + "' is not understood. Usage: FOLDER [--output FILE]"
                                        + " [--piece-bytes N] [--piece-millis N] [--top N] [--pause-at P,P]");
                    }
                    folder = Optional.of(Path.of(word));
                }
            }
        }
        Path given =
                folder.orElseThrow(() -> new InvalidInputException("Name the folder whose words are to be counted."));
        return new Arguments(
                given,
                output,
                pieceBytes,
                pieceMillis,
                top,
                pauses.stream().sorted().toList());
    }

    /** Found out before the work begins rather than after it. */
    private static Path outputFile(String name) {
        Path file = Path.of(name).toAbsolutePath();
        Path parent = file.getParent();
        if (parent == null || Files.isDirectory(file) || !Files.isDirectory(parent) || !Files.isWritable(parent)) {
            throw new InvalidInputException("The file " + file + " can not be written. Name one in a folder that can.");
        }
        return file;
    }

    private static String value(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new InvalidInputException(option + " needs a value.");
        }
        return rest.next();
    }

    private static int number(String option, String text, int min, int max) {
        try {
            int number = Integer.parseInt(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new InvalidInputException(
                    option + " must be a number from " + min + " to " + max + ", not '" + text + "'.", e);
        }
        throw new InvalidInputException(
                option + " must be a number from " + min + " to " + max + ", not '" + text + "'.");
    }
}
