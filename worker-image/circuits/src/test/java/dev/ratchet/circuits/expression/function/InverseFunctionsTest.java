/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.sample.Samples;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What one function makes another takes back; and what nothing could hold is not made. */
class InverseFunctionsTest {

    static LongStream seeds() {
        return Samples.seeds(200);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsWrittenByAPatternIsReadByIt(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TimePattern dates = TimePattern.of(
                "FORMAT_DATE",
                List.of("%Y-%m-%d", "%F%%", "%Y%m%d", "%j/%Y", "%A, %d %B %Y", "%a %d. %b %Y")
                        .get(random.nextInt(6)));
        long date = random.nextLong(-300_000, 300_000);
        assertThat(TimePattern.parseDate(TimePattern.formatDate(date, dates), dates))
                .as("%s of day %d", dates, date)
                .isEqualTo(date);
        TimePattern times = TimePattern.of(
                "FORMAT_TIME", List.of("%T.%f", "%H%M%S%f", "%I:%M:%S.%f %p").get(random.nextInt(3)));
        long time = random.nextLong(TimeText.MICROS_PER_DAY);
        assertThat(TimePattern.parseTime(TimePattern.formatTime(time, times), times))
                .isEqualTo(time);
        TimePattern both = TimePattern.of("FORMAT_TIMESTAMP", "%Y%j %T.%f");
        long moment = TimeFunctions.midnight(date) + time;
        assertThat(TimePattern.parseTimestamp(TimePattern.formatTimestamp(moment, both), both))
                .isEqualTo(moment);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void areasAreThoseOfTheirHyperbolicFunctions(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double area = random.nextDouble(-30, 30) * Math.pow(10, -random.nextInt(8));
        Offset<Double> near = Offset.offset(Math.max(1e-14, Math.abs(area) * 1e-12));
        assertThat(DoubleFunctions.areaSine(DoubleFunctions.hyperbolicSine(area)))
                .isCloseTo(area, near);
        double large = Math.abs(area) + 1;
        assertThat(DoubleFunctions.areaCosine(DoubleFunctions.hyperbolicCosine(large)))
                .isCloseTo(large, Offset.offset(1e-11));
        double small = area / 10;
        assertThat(DoubleFunctions.areaTangent(DoubleFunctions.hyperbolicTangent(small)))
                .isCloseTo(small, Offset.offset(Math.max(1e-15, Math.abs(small) * 1e-11)));
    }

    @Test
    void arraysThatNoRowCanHoldAreNotMade() {
        assertThat(NestedFunctions.sequence(Long.MAX_VALUE - 1, Long.MAX_VALUE)).hasSize(2);
        assertThat(NestedFunctions.sequence(Long.MAX_VALUE, Long.MIN_VALUE)).isEmpty();
        assertThat(NestedFunctions.repeat(List.of(1L), -1)).isEmpty();
        assertThatThrownBy(() -> NestedFunctions.sequence(Long.MIN_VALUE, Long.MAX_VALUE))
                .isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(() -> NestedFunctions.sequence(0, 1L << 40)).isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(() -> NestedFunctions.repeat(List.of(1L), 1L << 40))
                .hasMessageContaining("which no row can hold");
    }
}
