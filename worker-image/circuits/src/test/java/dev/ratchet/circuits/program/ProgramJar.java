/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.program;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Jars with programs that a test says in Java. */
public final class ProgramJar {

    /** What programs of tests may name. */
    private static final String IMPORTS = """
            package com.acme;
            import dev.ratchet.circuits.builder.*;
            import dev.ratchet.circuits.operator.*;
            import dev.ratchet.circuits.type.*;
            import java.util.List;
            """;

    private ProgramJar() {}

    /** A jar in {@code directory} of a public class {@code com.acme.Totals} with these members. */
    public static Path of(Path directory, String members) {
        return ofClass(directory, "public final class Totals implements CircuitProgram {" + members + "}");
    }

    /** The same of a whole class of that name. */
    public static Path ofClass(Path directory, String text) {
        try {
            Path classes = Files.createTempDirectory(directory, "classes");
            JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
            StringWriter mistakes = new StringWriter();
            JavaFileObject source =
                    new SimpleJavaFileObject(URI.create("mem:///com/acme/Totals.java"), JavaFileObject.Kind.SOURCE) {
                        @Override
                        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                            return IMPORTS + text;
                        }
                    };
            List<String> options =
                    List.of("-d", classes.toString(), "-proc:none", "-cp", System.getProperty("java.class.path"));
            if (!compiler.getTask(mistakes, null, null, options, null, List.of(source))
                    .call()) {
                throw new IllegalArgumentException(mistakes.toString());
            }
            Path jar = Files.createTempFile(directory, "program", ".jar");
            pack(classes, jar);
            return jar;
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }

    private static void pack(Path classes, Path jar) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream packed = new JarOutputStream(out);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                packed.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, packed);
                packed.closeEntry();
            }
            packed.putNextEntry(new JarEntry("README"));
            packed.write("A program of a test.".getBytes(StandardCharsets.UTF_8));
            packed.closeEntry();
        }
    }
}
