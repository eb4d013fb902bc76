/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.protocol.futures.v1.Failure;
import dev.ratchet.protocol.futures.v1.FailureKind;
import org.junit.jupiter.api.Test;

/** Whatever code throws can be told. */
class FailuresTest {

    private static Failure of(Throwable thrown) {
        return Failures.of(FailureKind.FAILURE_KIND_EXCEPTION, thrown, "orders-w-0");
    }

    @Test
    void whatSaysNothingIsToldByItsTypeOrItsCause() {
        assertThat(Failures.text(of(new StackOverflowError()))).isEqualTo("java.lang.StackOverflowError");
        assertThat(Failures.text(of(new ExceptionInInitializerError(new IllegalStateException("static")))))
                .isEqualTo("java.lang.ExceptionInInitializerError: java.lang.IllegalStateException: static");
        assertThat(Failures.text(of(new IllegalStateException("said"))))
                .isEqualTo("java.lang.IllegalStateException: said");
    }

    @Test
    void whatFailsWhenItIsAskedIsToldByItsType() {
        Failure failure = of(new IllegalStateException() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new ArithmeticException("no message");
            }
        });

        assertThat(failure.getType()).startsWith(FailuresTest.class.getName());
        assertThat(failure.getMessage()).contains("ArithmeticException");
    }

    @Test
    void aLongChainOfCausesIsCut() {
        Exception last = new Exception("root");
        for (int i = 0; i < 100_000; i++) {
            last = new Exception("cause " + i, last);
        }

        Failure failure = of(last);

        assertThat(failure.getMessage()).isEqualTo("cause 99999");
        assertThat(failure.getStackTrace())
                .contains("cause 99999")
                .contains("aLongChain")
                .endsWith("...");
    }
}
