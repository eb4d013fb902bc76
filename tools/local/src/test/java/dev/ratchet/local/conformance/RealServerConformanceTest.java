/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * A real server answers as the suite says, so that the stand-in is held to the truth; and each request of a case gets
 * the same status code, reason and message from both.
 */
@EnabledIfSystemProperty(
        named = "ratchet.conformance.kubeconfig",
        matches = ".+",
        disabledReason =
                "give -Dratchet.conformance.kubeconfig=FILE to run the same requests against a real API server")
@ExtendWith(RealServerConformanceTest.Twice.class)
class RealServerConformanceTest extends ConformanceSuite {

    private final StandInConformanceTest standIn = new StandInConformanceTest();

    @Override
    protected Path kubeconfig() {
        return Path.of(System.getProperty("ratchet.conformance.kubeconfig"));
    }

    @BeforeAll
    void startTheStandIn() throws IOException {
        standIn.define();
    }

    @AfterAll
    void stopTheStandIn() throws IOException {
        standIn.removeDefinitions();
    }

    /** Runs each case on the stand-in too, in a namespace of the same name, after it ran on the real server. */
    static class Twice implements InvocationInterceptor {

        @Override
        public void interceptTestMethod(
                Invocation<Void> real, ReflectiveInvocationContext<Method> method, ExtensionContext context)
                throws Throwable {
            RealServerConformanceTest suite =
                    (RealServerConformanceTest) method.getTarget().orElseThrow();
            suite.api().takeExchanges();
            real.proceed();
            List<Exchange> expected = withoutRepeats(suite.api().takeExchanges());
            suite.standIn.useNamespace(suite.namespace());
            suite.standIn.api().takeExchanges();
            try {
                method.getExecutable()
                        .invoke(suite.standIn, method.getArguments().toArray());
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
            List<Exchange> found = withoutRepeats(suite.standIn.api().takeExchanges());
            suite.standIn.removeNamespace();
            assertThat(found)
                    .as("what the stand-in answers, beside the real server")
                    .isEqualTo(expected);
        }

        @Override
        public void interceptTestTemplateMethod(
                Invocation<Void> real, ReflectiveInvocationContext<Method> method, ExtensionContext context)
                throws Throwable {
            interceptTestMethod(real, method, context);
        }

        /** A case that waits asks the same more or less often. */
        private static List<Exchange> withoutRepeats(List<Exchange> exchanges) {
            List<Exchange> kept = new ArrayList<>();
            for (Exchange exchange : exchanges) {
                if (!kept.isEmpty() && kept.getLast().request().equals(exchange.request())) {
                    kept.removeLast();
                }
                kept.add(exchange);
            }
            return kept;
        }
    }
}
