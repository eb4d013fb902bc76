/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.demo;

import dev.ratchet.local.environment.EnvironmentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The folder of an example in the distribution. */
final class Example {

    private Example() {}

    /** Its one jar. */
    static Path program(Path example) throws EnvironmentException, IOException {
        try (Stream<Path> files = Files.list(example)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .findFirst()
                    .orElseThrow(() -> new EnvironmentException(1, "there is no jar in " + example + "; build again"));
        }
    }
}
