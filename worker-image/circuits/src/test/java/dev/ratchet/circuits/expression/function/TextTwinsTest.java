/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression.function;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.sample.Samples;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Functions written for speed beside the obvious ones. */
class TextTwinsTest {

    private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder()
            .appendPattern("HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .toFormatter();

    static LongStream seeds() {
        return Samples.seeds(200);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void timesAreWrittenAsTheFormatterWritesThem(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long unit = List.of(1L, 10L, 1_000L, 1_000_000L, 60_000_000L).get(random.nextInt(5));
        long micros = random.nextLong(TimeText.MICROS_PER_DAY) / unit * unit;
        assertThat(TimeText.time(micros)).isEqualTo(TIME.format(LocalTime.ofNanoOfDay(micros * 1000)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void partsAreThoseOfTheWholeSplit(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder();
        random.ints(random.nextInt(12), 'a', 'd').forEach(c -> text.append((char) c));
        String delimiter = List.of("a", "b", "aa", "ab", "bb").get(random.nextInt(5));
        String[] parts = text.toString().split(Pattern.quote(delimiter), -1);
        for (int number = -parts.length - 2; number <= parts.length + 2; number++) {
            int index = number > 0 ? number - 1 : parts.length + number;
            String expected = index >= 0 && index < parts.length ? parts[index] : "";
            if (number != 0) {
                assertThat(TextFunctions.splitPart(text.toString(), delimiter, number))
                        .isEqualTo(expected);
            }
        }
    }
}
