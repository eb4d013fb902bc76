/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.object.HeldObject;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.object.ObjectWriter;
import dev.ratchet.protocol.isolation.v1.SharedBytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What another process reads and writes by mapping files is what the object store holds. */
class SharedMemoryTest {

    private static final int MEMORY_BYTES = 4 << 20;

    @TempDir
    Path directory;

    private static ObjectName name(int number) {
        return new ObjectName(FutureId.ofKey("default", "object " + number), 1);
    }

    private static byte[] random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static int checksum(byte[] bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return (int) checksum.getValue();
    }

    private void holdsWhatIsShared(ObjectStore store) throws IOException {
        for (int i = 0; i < 10; i++) {
            var unused = store.put(name(i), random(i, 100_000 + i));
        }
        for (int i = 0; i < 10; i += 3) {
            store.delete(name(i));
        }
        byte[] content = random(99, 700_001);
        try (ObjectWriter writer = store.begin(name(99), content.length)) {
            SharedBytes room = writer.shared().orElseThrow();
            SharedMemory.write(room, content);
            assertThat(store.read(writer.completeShared(checksum(content)))).isEqualTo(content);
        }
        try (HeldObject held = store.hold(store.find(name(99)).orElseThrow());
                InputStream in = SharedMemory.read(held.shared().orElseThrow()).open()) {
            assertThat(in.readAllBytes()).isEqualTo(content);
        }
        assertThat(store.read(store.find(name(4)).orElseThrow())).isEqualTo(random(4, 100_004));
    }

    @Test
    void memoryIsSharedInPieces() throws IOException {
        Path folder = directory.resolve("shared");
        ObjectStore store = new ObjectStore(directory.resolve("objects"), MEMORY_BYTES, 0, Optional.of(folder), false);
        holdsWhatIsShared(store);
        assertThat(Files.size(folder.resolve("memory"))).isEqualTo(MEMORY_BYTES);

        store.close();
        assertThat(folder).doesNotExist();
    }

    @Test
    void filesAreShared() throws IOException {
        holdsWhatIsShared(new ObjectStore(directory.resolve("objects"), 0, MEMORY_BYTES));
    }

    @Test
    void aFolderInMemoryReplacesThatOfAProcessThatIsGone() throws IOException {
        Path left = Files.createDirectory(directory.resolve("ratchet-999999999"));
        Files.createFile(left.resolve("memory"));
        Path others = Files.createDirectory(directory.resolve("ratchet-others"));
        Path lock = Files.createFile(directory.resolve("ratchet-999999998.lock"));

        Path own = SharedFolder.of(directory, 1).orElseThrow();

        assertThat(left).doesNotExist();
        assertThat(lock).doesNotExist();
        assertThat(others).exists();
        assertThat(own).isDirectory();
        assertThat(SharedFolder.of(directory, Long.MAX_VALUE)).isEmpty();
    }

    @Test
    void aLinkThatSomebodyElseLeavesIsNeverFollowed() throws IOException {
        Path victim = Files.createDirectory(directory.resolve("of-another-user"));
        Path kept = Files.createFile(victim.resolve("kept"));
        Path own = directory.resolve("ratchet-" + ProcessHandle.current().pid());
        Files.createSymbolicLink(own, victim);
        Path left = Files.createSymbolicLink(directory.resolve("ratchet-999999999"), victim);

        assertThat(SharedFolder.of(directory, 1)).as("its name is taken").isEmpty();
        assertThat(SharedFolder.sweep(directory)).isZero();

        assertThat(kept).exists();
        assertThat(left).isSymbolicLink();
    }

    @Test
    void whatBelongsToAnotherUserIsNotDeleted() throws IOException {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "only root can give files away");
        Path left = Files.createDirectory(directory.resolve("ratchet-999999999"));
        Files.createFile(left.resolve("memory"));
        Files.setAttribute(left, "unix:uid", 12345);

        assertThat(SharedFolder.sweep(directory)).isZero();

        assertThat(left.resolve("memory")).exists();
    }

    @Test
    void whatAKilledProcessHasLeftGoesWhileOthersRunAndNothingOfTheLivingDoes() throws Exception {
        Process owner = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Dlogback.configurationFile=dev/ratchet/futures/isolation/logback.xml",
                        Owner.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            Path folder = Path.of(owner.inputReader().readLine());
            Files.createFile(folder.resolve("memory"));

            assertThat(SharedFolder.sweep(directory)).as("its owner lives").isZero();
            owner.destroyForcibly().waitFor();

            assertThat(SharedFolder.sweep(directory)).isEqualTo(1);
            assertThat(directory).isEmptyDirectory();
        } finally {
            owner.destroyForcibly();
        }
    }

    /** Has a folder until it is killed. */
    static final class Owner {
        public static void main(String[] arguments) throws InterruptedException {
            System.out.println(SharedFolder.of(Path.of(arguments[0]), 1).orElseThrow());
            new CountDownLatch(1).await();
        }
    }
}
