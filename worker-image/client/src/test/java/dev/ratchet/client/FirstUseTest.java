/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whichever class of the API a program uses first, it can be initialised: no two need each other for that. */
class FirstUseTest {

    @Test
    void everyClassCanBeTheFirstThatAProgramUses() throws Exception {
        URL classes = Ratchet.class.getProtectionDomain().getCodeSource().getLocation();
        List<String> names = names(Path.of(classes.toURI()));
        assertThat(names).contains(RetryPolicy.class.getName(), SubmitOptions.class.getName());
        for (String name : names) {
            try (URLClassLoader alone = new URLClassLoader(
                    new URL[] {classes, location("org.jspecify.annotations.Nullable")},
                    ClassLoader.getPlatformClassLoader())) {
                assertThat(Class.forName(name, true, alone).getClassLoader()).isSameAs(alone);
            }
        }
    }

    private static URL location(String className) throws ClassNotFoundException {
        return Class.forName(className).getProtectionDomain().getCodeSource().getLocation();
    }

    private static List<String> names(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString())
                    .filter(file -> file.endsWith(".class") && !file.endsWith("package-info.class"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                    .toList();
        }
    }
}
