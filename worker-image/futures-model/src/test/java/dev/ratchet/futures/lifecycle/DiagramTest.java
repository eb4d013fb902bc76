/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DiagramTest {

    @Test
    void theDocumentShowsTheTableThatIsInForce() throws Exception {
        String document = Files.readString(Path.of("../../docs/futures-reference.md"));

        assertThat(document)
                .as("replace the diagram in docs/futures-reference.md by the one of Lifecycle.diagram()")
                .contains("```mermaid\n" + Lifecycle.diagram() + "```");
    }
}
