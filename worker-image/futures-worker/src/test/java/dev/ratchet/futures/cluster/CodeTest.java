/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.NamedTask;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskFailedException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.tools.ToolProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Code travels by digest: versions live side by side, apart from the worker's own classes. */
class CodeTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final SubmitOptions ONCE = SubmitOptions.defaults().withMaxRetries(0);

    @TempDir
    Path directory;

    private TestCluster cluster;
    private TestWorker worker;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(directory.resolve("cluster"));
        worker = cluster.start(0, 2);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    @Test
    void twoVersionsOfOneClassRunSideBySide() throws Exception {
        Ratchet one = cluster.connect(List.of(greeter("one")));
        Ratchet two = cluster.connect(List.of(greeter("two")));
        NamedTask hello = NamedTask.parse("app.Greeter::hello", "world");

        assertThat(one.<String>submit(ONCE, hello).get(LIMIT)).isEqualTo("one world");
        assertThat(two.<String>submit(ONCE, hello).get(LIMIT)).isEqualTo("two world");
        assertThat(one.<String>submit(ONCE, hello).get(LIMIT)).isEqualTo("one world");
        assertThat(worker.engine().metrics().all())
                .filteredOn(metric -> metric.name().equals("code_loaders"))
                .first()
                .satisfies(metric -> assertThat(metric.value().getAsDouble()).isEqualTo(2));
    }

    @Test
    void loadersOfVersionsThatAreNotUsedAnyMoreAreClosed() throws Exception {
        NamedTask hello = NamedTask.parse("app.Greeter::hello", "world");
        for (int version = 0; version < 40; version++) {
            Ratchet ratchet = cluster.connect(List.of(greeter("version " + version)));
            assertThat(ratchet.<String>submit(ONCE, hello).get(LIMIT)).isEqualTo("version " + version + " world");
        }
        assertThat(worker.engine().metrics().all())
                .filteredOn(metric -> metric.name().equals("code_loaders"))
                .first()
                .satisfies(metric -> assertThat(metric.value().getAsDouble()).isLessThanOrEqualTo(32));
    }

    @Test
    void theClassesOfAThousandVersionsAreUnloaded() throws Exception {
        Path first = greeter("leak");
        NamedTask weigh = NamedTask.parse("app.Greeter::weigh", "world");
        long unloadedBefore = ManagementFactory.getClassLoadingMXBean().getUnloadedClassCount();
        for (int version = 0; version < 1_000; version++) {
            Path jar = directory.resolve("version.jar");
            try (ZipFile original = new ZipFile(first.toFile());
                    JarOutputStream copy = new JarOutputStream(Files.newOutputStream(jar))) {
                ZipEntry code = original.getEntry("app/Greeter.class");
                copy.putNextEntry(new JarEntry(code.getName()));
                original.getInputStream(code).transferTo(copy);
                copy.putNextEntry(new JarEntry("version"));
                copy.write(version >> 8);
                copy.write(version);
                copy.closeEntry();
            }
            try (Ratchet ratchet = cluster.connect(List.of(jar))) {
                assertThat(ratchet.<Integer>submit(ONCE, weigh).get(LIMIT)).isPositive();
            }
        }

        Awaitility.await().atMost(LIMIT).until(() -> {
            System.gc();
            return ManagementFactory.getClassLoadingMXBean().getUnloadedClassCount() - unloadedBefore >= 950;
        });
    }

    @Test
    void usersCodeDoesNotSeeTheWorkersClasses() throws Exception {
        Ratchet ratchet = cluster.connect(List.of(greeter("x")));
        NamedTask peek = NamedTask.parse("app.Greeter::peek", "com.google.protobuf.ByteString");

        assertThatThrownBy(() -> ratchet.submit(ONCE, peek).get(LIMIT))
                .isInstanceOf(TaskFailedException.class)
                .hasMessageContaining("java.lang.ClassNotFoundException: com.google.protobuf.ByteString");
    }

    @Test
    void codeThatIsNotThereFailsWithItsNameAndWithoutRetries() throws Exception {
        Ratchet ratchet = cluster.connect(List.of(greeter("x")));
        NamedTask missing = NamedTask.parse("app.Missing::hello", "");

        assertThatThrownBy(
                        () -> ratchet.submit(SubmitOptions.defaults(), missing).get(LIMIT))
                .isInstanceOfSatisfying(TaskFailedException.class, failure -> {
                    assertThat(failure.attempts()).isEqualTo(1);
                    assertThat(failure).hasMessageContaining("app.Missing");
                });
    }

    @Test
    void whatIsNoJarIsRefusedBeforeAnythingIsSent() throws Exception {
        Path text = Files.writeString(directory.resolve("no.jar"), "text");

        assertThatThrownBy(() -> cluster.connect(List.of(text)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("is not a jar");
        assertThatThrownBy(() -> cluster.connect(List.of(directory.resolve("missing.jar"))))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("missing.jar");
    }

    /** A jar with app.Greeter, whose greeting is {@code word}. */
    private Path greeter(String word) throws Exception {
        Path sources = Files.createDirectories(directory.resolve("src-" + word));
        Path source = Files.createDirectories(sources.resolve("app")).resolve("Greeter.java");
        Files.writeString(source, """
                package app;

                public class Greeter implements java.io.Serializable {
                    private static final ThreadLocal<Greeter> MINE = new ThreadLocal<>();
                    public static int weigh(String name) throws Exception {
                        MINE.set(new Greeter());
                        var bytes = new java.io.ByteArrayOutputStream();
                        new java.io.ObjectOutputStream(bytes).writeObject(MINE.get());
                        return bytes.size();
                    }
                    public static String hello(String name) {
                        return "%s " + name;
                    }

                    public static String peek(String type) throws Exception {
                        return Class.forName(type).getName();
                    }
                }
                """.formatted(word));
        int result = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-d", sources.toString(), source.toString());
        assertThat(result).isZero();
        Path jar = directory.resolve(word + ".jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out)) {
            entries.putNextEntry(new JarEntry("app/Greeter.class"));
            Files.copy(sources.resolve("app/Greeter.class"), entries);
            entries.closeEntry();
        }
        return jar;
    }
}
