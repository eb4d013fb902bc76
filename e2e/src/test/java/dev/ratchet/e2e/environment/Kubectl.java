/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.environment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A stock kubectl of some version on one cluster: what users type is what the suites run. */
public final class Kubectl {

    private final String program;
    private final Path kubeconfig;

    /** {@code program} is found on the path. */
    Kubectl(String program, Path kubeconfig) {
        this.program = program;
        this.kubeconfig = kubeconfig;
    }

    /** {@code kubectl <words>}; the result is returned whatever the exit code. */
    public Command run(String... words) {
        return runWithInput("", words);
    }

    /** {@code kubectl apply -f -} of the text. */
    public Command apply(String yaml) {
        return runWithInput(yaml, "apply", "-f", "-");
    }

    private Command runWithInput(String input, String... words) {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(words));
        return Command.run(Map.of("KUBECONFIG", kubeconfig.toString()), input, command);
    }

    @Override
    public String toString() {
        return program;
    }
}
