/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** With which exit code a process ends in which there is no worker yet. */
class EndingTest {

    /** A worker's process before it has a worker. */
    static final class Starting {

        private Starting() {}

        /** The argument is what it can not start for; without one it goes on to start. */
        public static void main(String[] arguments) throws InterruptedException {
            Ending ending = Ending.inForce();
            if (arguments.length > 0) {
                ending.exit(ExitCode.valueOf(arguments[0]));
            }
            System.out.println("starting");
            Thread.currentThread().join();
        }
    }

    private static Process start(String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Starting.class.getName());
        builder.command().addAll(List.of(arguments));
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    @Test
    void whoIsToldToEndBeforeThereIsAWorkerHasEndedInOrder() throws Exception {
        Process process = start();
        try (BufferedReader said = process.inputReader()) {
            assertThat(said.readLine()).isEqualTo("starting");

            process.destroy();

            assertThat(TestCluster.exitCode(process)).isEqualTo(ExitCode.DONE.number());
        } finally {
            process.destroyForcibly();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MISCONFIGURED", "BROKEN"})
    void whoCanNotStartSaysWhyByItsExitCode(ExitCode code) throws Exception {
        assertThat(TestCluster.exitCode(start(code.name()))).isEqualTo(code.number());
    }
}
