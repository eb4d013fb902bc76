/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Program;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.TaskFailedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Code that can not be loaded is told by the class that it lacks, or by its Java, and what to do. */
class SubmittedCodeTest {

    private static final String REMEDY = "is in none of the jars that were given: pack its library into the jar of the"
            + " program, or give the library's jar with another --jar.";
    private static final int MAJOR_VERSION = 7;

    @TempDir
    private Path directory;

    private Path classes;

    /** A program beside a library: one class of each. */
    @BeforeEach
    void compile() throws IOException {
        classes = Files.createDirectory(directory.resolve("classes"));
        Path library =
                write("com/acme/Library.java", "package com.acme; public class Library { public void help() {} }");
        Path heir = write("com/acme/Heir.java", """
                package com.acme;
                public class Heir extends Library implements dev.ratchet.client.Program {
                    public void run(dev.ratchet.client.Ratchet ratchet, java.util.List<String> arguments) {}
                }
                """);
        Path user = write("com/acme/User.java", """
                package com.acme;
                public class User implements dev.ratchet.client.Program {
                    public void run(dev.ratchet.client.Ratchet ratchet, java.util.List<String> arguments) {
                        new Library().help();
                    }
                }
                """);
        int code = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        classes.toString(),
                        library.toString(),
                        heir.toString(),
                        user.toString());
        assertThat(code).isZero();
    }

    private Path write(String name, String source) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, source);
    }

    @Test
    void aClassWithoutItsPackage() {
        assertThat(submit("User"))
                .isEqualTo(
                        "ratchet: There is no class User in [" + classes + "]; give its full name, with the package.");
    }

    @Test
    void aClassWhoseLibraryIsMissing() throws IOException {
        Files.delete(classes.resolve("com/acme/Library.class"));
        assertThat(submit("com.acme.Heir"))
                .isEqualTo("ratchet: The class com.acme.Heir can not be loaded. The class com.acme.Library " + REMEDY);
    }

    @Test
    void aClassForANewerJava() throws IOException {
        Path file = classes.resolve("com/acme/User.class");
        byte[] bytes = Files.readAllBytes(file);
        bytes[MAJOR_VERSION] = 124;
        Files.write(file, bytes);
        assertThat(submit("com.acme.User"))
                .isEqualTo("ratchet: The class com.acme.User can not be loaded. The class com.acme.User is compiled for"
                        + " Java 80, and what should run it is Java "
                        + Runtime.version().feature()
                        + ": compile it for that, with maven.compiler.release or javac --release.");
    }

    private String submit(String className) {
        StringWriter err = new StringWriter();
        int code = RatchetCommand.commandLine()
                .setErr(new PrintWriter(err))
                .execute("submit", "--jar", classes.toString(), "--class", className);
        assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
        return err.toString().strip();
    }

    @Test
    void aLibraryThatTheProgramMissesWhileItRuns() throws Exception {
        Files.delete(classes.resolve("com/acme/Library.class"));
        Ratchet connected = (Ratchet) Proxy.newProxyInstance(
                Ratchet.class.getClassLoader(), new Class<?>[] {Ratchet.class}, (self, method, arguments) -> null);
        try (ProgramCode code = ProgramCode.open(List.of(classes))) {
            Program program = code.program("com.acme.User");
            assertThatThrownBy(() -> code.run(program, connected, List.of()))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessage("The program com.acme.User can not go on. The class com.acme.Library " + REMEDY);
        }
    }

    @Test
    void aLibraryThatATaskMissesOnItsWorker() {
        String failure = "The task has failed after 4 attempts: java.lang.NoClassDefFoundError: com/acme/Library";
        assertThat(handled(new TaskFailedException(failure, "java.lang.NoClassDefFoundError", "", 4)))
                .isEqualTo("ratchet: " + failure + ". The class com.acme.Library " + REMEDY);
    }

    private static String handled(Exception failure) {
        StringWriter err = new StringWriter();
        CommandLine command = RatchetCommand.commandLine().setErr(new PrintWriter(err));
        CommandFailures.handle(failure, command, command.parseArgs());
        return err.toString().strip();
    }
}
