/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of the documents is the list of what is checked; that each is looked at, ScenarioRunTest shows. */
class RuleTest {

    @Test
    void theDocumentsTellTheRulesThatAreChecked() throws IOException {
        List<String> told = Files.readAllLines(Path.of("../../docs/membership.md")).stream()
                .filter(line -> line.matches("\\| [PG]\\d+ \\|.*"))
                .toList();
        assertThat(told)
                .containsExactlyElementsOf(Arrays.stream(Rule.values())
                        .map(rule -> "| " + rule + " | " + rule.source() + " | " + rule.here() + " |")
                        .toList());
    }
}
