/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import dev.ratchet.e2e.environment.Command;
import dev.ratchet.e2e.environment.TestEnvironment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A stock kubectl that finds the plugin of this build, and the command beside it.
 *
 * @param home where the commands keep what they remember
 */
record Plugin(TestEnvironment environment, Path home) {

    private static final Path BIN = Path.of("").toAbsolutePath().getParent().resolve("tools/local/target/ratchet/bin");

    Command kubectl(String... words) {
        List<String> command = new ArrayList<>(List.of("kubectl"));
        command.addAll(List.of(words));
        return Command.run(variables(), "", command);
    }

    Command ratchet(String... words) {
        List<String> command = new ArrayList<>(List.of(BIN.resolve("ratchet").toString()));
        command.addAll(List.of(words));
        return Command.run(variables(), "", command);
    }

    private Map<String, String> variables() {
        Map<String, String> variables = new HashMap<>();
        variables.put("KUBECONFIG", environment.kubeconfig().toString());
        variables.put("PATH", BIN + ":" + System.getenv("PATH"));
        variables.put("RATCHET_JAVA_HOME", System.getProperty("java.home"));
        variables.put("XDG_CONFIG_HOME", home.toString());
        return variables;
    }
}
