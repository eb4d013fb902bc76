/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.SerializableCallable;
import dev.ratchet.protocol.futures.v1.LambdaCode;
import java.io.IOException;
import java.lang.invoke.SerializedLambda;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A lambda is a place in code and what it has captured there. */
class LambdasTest {

    /** Places, each with several captured values, primitive ones, none, receivers. */
    static Stream<IntFunction<SerializableCallable<?>>> places() {
        return Stream.of(
                n -> () -> n,
                n -> () -> 42,
                n -> {
                    String text = "text" + n;
                    long wide = (long) n << 40;
                    double fraction = n / 3.0;
                    byte[] bytes = {(byte) n};
                    return () -> List.of(text, wide, fraction, bytes[0]);
                },
                n -> ("text" + n)::length,
                n -> ArrayList::new,
                n -> Thread::activeCount,
                n -> {
                    SerializableCallable<Integer> inner = () -> 7 * n;
                    return () -> inner.call() + 1;
                });
    }

    @ParameterizedTest
    @MethodSource("places")
    void whatIsMadeAgainDoesWhatTheLambdaDid(IntFunction<SerializableCallable<?>> place) throws Exception {
        SerializableCallable<?> original = place.apply(2);
        SerializedLambda parts = Lambdas.partsOf(original).orElseThrow();
        SerializedLambda others = Lambdas.partsOf(place.apply(3)).orElseThrow();

        assertThat(Lambdas.place(others)).as("what lambdas of one place share").isEqualTo(Lambdas.place(parts));
        Object again = maker(Lambdas.place(others)).make(Lambdas.captured(parts));
        assertThat(((SerializableCallable<?>) again).call()).isEqualTo(original.call());
    }

    @Test
    void whatIsNoLambdaHasNoParts() {
        assertThat(Lambdas.partsOf("text")).isEmpty();
        Runnable unserialisable = () -> {};
        assertThat(Lambdas.partsOf(unserialisable)).isEmpty();
    }

    @Test
    void aPlaceThatIsNotInTheClassIsNamed() throws Exception {
        SerializableCallable<Integer> lambda = () -> 1;
        LambdaCode gone = Lambdas.place(Lambdas.partsOf(lambda).orElseThrow()).toBuilder()
                .setImplementationMethod("lambda$gone$7")
                .build();

        assertThatThrownBy(() -> maker(gone).make(new Object[0]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("LambdasTest makes no lambda of lambda$gone$7");
        assertThatThrownBy(() -> maker(gone).make(new Object[1]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("captures 0 values, not 1");
    }

    private static Lambdas.Maker maker(LambdaCode place) throws ReflectiveOperationException {
        return new Lambdas.Maker(place, LambdasTest.class.getClassLoader());
    }
}
