/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the launchers make of an archive of classes: it is used where it fits, and stops no start where it does not. */
class ClassArchiveTest {

    private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));
    private static final String FROM_ARCHIVE = Answer.class.getName() + " source: shared objects file";
    private static final String COMPLAINT = "[warning]";
    private static final int TELLING_RELEASE = 24;

    /** The program that is launched. */
    static final class Answer {
        private Answer() {}

        public static void main(String[] words) {
            System.out.println("answered " + String.join(" ", words));
        }
    }

    private record Run(int code, String out, String err) {}

    @TempDir
    private static Path home;

    private static Path archive;
    private static byte[] whole;

    @BeforeAll
    static void layOutADistribution() throws Exception {
        Path bin = Files.createDirectories(home.resolve("bin"));
        Path lib = Files.createDirectories(home.resolve("lib"));
        Files.copy(Path.of("../../images/launch.sh"), bin.resolve("launch.sh"));
        Files.writeString(bin.resolve("answer"), """
                set -eu
                library=none
                main='%s'
                options=
                . "$(dirname -- "$0")/launch.sh"
                """.formatted(Answer.class.getName()));
        String entry = Answer.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(lib.resolve("answer.jar")));
                InputStream bytes = Answer.class.getClassLoader().getResourceAsStream(entry)) {
            jar.putNextEntry(new JarEntry(entry));
            jar.write(bytes.readAllBytes());
        }
        archive = lib.resolve("classes-" + System.getProperty("java.version") + ".jsa");
        Path list = Files.writeString(home.resolve("list"), entry.replace(".class", "") + "\n");
        Run made = answer("-Xshare:dump -XX:SharedClassListFile=" + list + " -XX:SharedArchiveFile=" + archive);
        assertThat(archive).as(made.toString()).exists();
        whole = Files.readAllBytes(archive);
    }

    @Test
    void anArchiveThatFitsIsUsed() throws Exception {
        assertThat(answer("-Xlog:class+load:stderr").err).contains(FROM_ARCHIVE);
    }

    @Test
    void anotherHeapUsesItToo() throws Exception {
        assertThat(answer("-Xlog:class+load:stderr -XX:+UseSerialGC -Xms8m -Xmx300m").err)
                .contains(FROM_ARCHIVE);
        assertThat(answer("-Xlog:class+load:stderr -XX:+UseParallelGC -Xmx64m").err)
                .contains(FROM_ARCHIVE);
    }

    @Test
    void aCollectorThatItDoesNotFitIsTold() throws Exception {
        assertTold(answer("-XX:+UseZGC -Xmx64m"));
    }

    @Test
    void aDamagedArchiveIsTold() throws Exception {
        try (FileChannel file = FileChannel.open(archive, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap("damaged".getBytes(UTF_8)), 0);
            assertTold(answer(""));
            file.truncate(0);
            file.write(ByteBuffer.wrap(whole, 0, whole.length / 2), 0);
            assertTold(answer(""));
        } finally {
            Files.write(archive, whole);
        }
    }

    @Test
    void classesThatHaveChangedAreTold() throws Exception {
        Path jar = home.resolve("lib/answer.jar");
        FileTime built = Files.getLastModifiedTime(jar);
        Files.setLastModifiedTime(jar, FileTime.fromMillis(built.toMillis() + 60_000));
        try {
            assertTold(answer(""));
        } finally {
            Files.setLastModifiedTime(jar, built);
        }
    }

    @Test
    void withoutAnArchiveNothingIsSaid() throws Exception {
        Files.delete(archive);
        try {
            assertThat(answer("").err).isEmpty();
        } finally {
            Files.write(archive, whole);
        }
    }

    /** Older ones load the classes from the jars without a word. */
    private static void assertTold(Run run) {
        if (Runtime.version().feature() >= TELLING_RELEASE) {
            assertThat(run.err).contains(COMPLAINT);
        }
    }

    /** Runs the program, which must do its work whatever becomes of the archive. */
    private static Run answer(String options) throws IOException, InterruptedException {
        Path out = home.resolve("out");
        Path err = home.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(
                        "sh", home.resolve("bin/answer").toString(), "twice")
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("RATCHET_"));
        builder.environment().put("RATCHET_JAVA_HOME", JAVA_HOME.toString());
        builder.environment().put("RATCHET_JAVA_OPTIONS", options);
        int code = builder.start().waitFor();
        Run run = new Run(code, Files.readString(out), Files.readString(err));
        if (!options.contains("-Xshare:dump")) {
            assertThat(run.out).as(run.toString()).isEqualTo("answered twice\n");
            assertThat(run.code).isZero();
        }
        return run;
    }
}
