/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.structure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The source tree these tests look at: the one this module is part of. */
final class Checkout {

    static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    private Checkout() {}

    /** Module directories by the last part of their path, as the root POM lists them. */
    static Map<String, Path> modules() {
        Map<String, Path> modules = new TreeMap<>();
        for (String line : read(ROOT.resolve("pom.xml")).lines().toList()) {
            String text = line.strip();
            if (text.startsWith("<module>")) {
                Path directory =
                        ROOT.resolve(text.substring("<module>".length(), text.length() - "</module>".length()));
                modules.put(directory.getFileName().toString(), directory);
            }
        }
        return modules;
    }

    /** Every tracked kind of file with the ending, generated and built ones left out. */
    static List<Path> files(String ending) {
        try (Stream<Path> paths = Files.walk(ROOT)) {
            return paths.filter(path -> path.toString().endsWith(ending))
                    .filter(path -> Stream.of("target", ".git", "node_modules")
                            .noneMatch(name -> ROOT.relativize(path).startsWith(name)
                                    || ROOT.relativize(path).toString().contains("/" + name + "/")))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("can not read " + file, e);
        }
    }
}
