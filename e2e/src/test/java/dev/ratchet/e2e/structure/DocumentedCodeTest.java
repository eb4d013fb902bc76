/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What the README and the guide show of code is part of a file below {@code examples}, to the letter. {@code e2e/guide}
 * builds and runs those.
 */
class DocumentedCodeTest {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(?:java|xml)\n(.*?)^```$");
    private static final int BLOCKS_MIN = 8;

    @Test
    void theCodeThatNewcomersReadIsInTheExamples() {
        String examples = Checkout.files("").stream()
                .filter(file -> file.startsWith(Checkout.ROOT.resolve("examples")))
                .filter(file -> file.toString().matches(".*\\.(java|xml)"))
                .map(Checkout::read)
                .collect(Collectors.joining("\n"));
        List<String> elsewhere = new ArrayList<>();
        int blocks = 0;
        for (Path document : List.of(Checkout.ROOT.resolve("README.md"), Checkout.ROOT.resolve("docs/futures.md"))) {
            for (var block : BLOCK.matcher(Checkout.read(document)).results().toList()) {
                blocks++;
                if (!examples.contains(block.group(1))) {
                    elsewhere.add(document.getFileName() + ":\n" + block.group(1));
                }
            }
        }
        assertThat(elsewhere).as("code in documents that no example has").isEmpty();
        assertThat(blocks).as("blocks of code in documents").isGreaterThanOrEqualTo(BLOCKS_MIN);
    }
}
