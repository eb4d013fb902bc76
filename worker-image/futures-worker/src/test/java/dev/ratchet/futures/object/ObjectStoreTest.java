/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.FutureId;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObjectStoreTest {

    @TempDir
    Path directory;

    private final ObjectName name = new ObjectName(FutureId.random(), 1);

    @Test
    void whatIsPutIsReadAndFreesItsRoomWhenDeleted() throws Exception {
        ObjectStore store = new ObjectStore(directory, 0, 100);
        ObjectStore.Stored stored = store.put(name, new byte[] {1, 2, 3});

        assertThat(store.read(stored)).containsExactly(1, 2, 3);
        assertThat(store.usedBytes()).isEqualTo(3);

        store.delete(name);
        store.delete(name);

        assertThat(store.find(name)).isEmpty();
        assertThat(store.usedBytes()).isZero();
    }

    @Test
    void whatDoesNotFitIsRefusedAndTakesNoRoom() throws Exception {
        ObjectStore store = new ObjectStore(directory, 0, 100);
        store.put(name, new byte[60]);

        assertThatThrownBy(() -> store.put(new ObjectName(FutureId.random(), 1), new byte[41]))
                .isInstanceOf(ObjectStoreFullException.class)
                .hasMessageContaining("bytes=41 used=60 limit=100");
        store.put(new ObjectName(FutureId.random(), 1), new byte[40]);

        assertThat(store.usedBytes()).isEqualTo(100);
    }

    @Test
    void anObjectThatDoesNotArriveWholeLeavesNothing() throws Exception {
        ObjectStore store = new ObjectStore(directory, 0, 100);
        try (ObjectWriter writer = store.begin(name, 10)) {
            writer.write(ByteBuffer.wrap(new byte[9]));
            assertThatThrownBy(() -> writer.complete(0)).hasMessageContaining("damaged");
        }

        assertThat(store.find(name)).isEmpty();
        assertThat(store.usedBytes()).isZero();
        assertThat(files()).isZero();
    }

    @Test
    void whatFitsIsInMemoryAndTheRestOnDisk() throws Exception {
        ObjectStore store = new ObjectStore(directory, 4L * MemoryPool.PIECE_BYTES, 1 << 20);
        byte[] content = new byte[3 * MemoryPool.PIECE_BYTES - 5];
        new Random(7).nextBytes(content);
        ObjectStore.Stored first = store.put(name, content);
        assertThat(files()).isZero();
        ObjectStore.Stored second = store.put(new ObjectName(FutureId.random(), 1), content);

        assertThat(files()).isEqualTo(1);
        assertThat(store.spilledBytes()).isEqualTo(content.length);
        assertThat(store.usedBytes()).isEqualTo(2L * content.length);
        assertThat(store.read(first)).isEqualTo(content);
        assertThat(store.read(second)).isEqualTo(content);

        store.delete(second.name());
        store.delete(first.name());
        assertThat(store.freeBytes()).isEqualTo(4L * MemoryPool.PIECE_BYTES + (1 << 20));
        assertThat(files()).isZero();
    }

    @Test
    void memoryThatIsBeingReadIsNotUsedAgain() throws Exception {
        ObjectStore store = new ObjectStore(directory, MemoryPool.PIECE_BYTES, 100);
        ObjectStore.Stored stored = store.put(name, new byte[] {1, 2, 3});
        ByteBuffer seen = ByteBuffer.allocate(3);
        try (ReadableByteChannel reading = store.open(stored)) {
            store.delete(name);
            store.put(new ObjectName(FutureId.random(), 1), new byte[] {9, 9, 9});
            assertThat(reading.read(seen)).isEqualTo(3);
        }

        assertThat(seen.array()).containsExactly(1, 2, 3);
        assertThat(store.spilledBytes()).isEqualTo(3);
        assertThat(store.freeBytes()).isEqualTo(MemoryPool.PIECE_BYTES + 97L);
    }

    @Test
    void whatIsHeldIsFoundInItsFileUntilItIsLetGo() throws Exception {
        ObjectStore store = new ObjectStore(directory, 0, 100);
        ObjectStore.Stored stored = store.put(name, new byte[] {1, 2, 3});
        try (HeldObject held = store.hold(stored)) {
            store.delete(name);

            assertThat(store.find(name)).isEmpty();
            try (InputStream again = held.open()) {
                assertThat(again.readAllBytes()).containsExactly(1, 2, 3);
            }
            Path file = Path.of(held.shared().orElseThrow().getFile());
            assertThat(file).as("what another process opens").hasBinaryContent(new byte[] {1, 2, 3});
            assertThat(store.freeBytes()).isEqualTo(97);
        }

        assertThat(store.freeBytes()).isEqualTo(100);
        assertThat(files()).isZero();
    }

    /** As when the volume of the files was unmounted or became read-only. */
    @Test
    void aFolderThatCanNotBeWrittenRefusesWhatDoesNotFitInMemoryAndTakesNoRoom() throws Exception {
        Path folder = directory.resolve("spill");
        ObjectStore store = new ObjectStore(folder, 0, 100);
        Files.delete(folder);

        assertThatThrownBy(() -> store.put(name, new byte[10])).isInstanceOf(UncheckedIOException.class);

        assertThat(store.freeBytes()).isEqualTo(100);
        assertThat(store.usedBytes()).isZero();
    }

    /** As when the volume of the files has become read-only: nobody would ask for the room again. */
    @Test
    void aFileThatCanNotBeRemovedTakesNoRoom() throws Exception {
        ObjectStore store = new ObjectStore(directory, 0, 100);
        store.put(name, new byte[10]);
        Path file = file();
        Files.delete(file);
        Files.createDirectories(file.resolve("not empty"));

        store.delete(name);

        assertThat(store.freeBytes()).isEqualTo(100);
        assertThat(store.usedBytes()).isZero();
    }

    @Test
    void damageOnDiskIsFound() throws Exception {
        ObjectStore store = new ObjectStore(directory, 0, 100);
        ObjectStore.Stored stored = store.put(name, new byte[10]);
        Files.write(file(), new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 0, 0});

        assertThatThrownBy(() -> store.read(stored)).hasMessageContaining("damaged");
    }

    @Test
    void whatAFormerProcessHasLeftIsHeldOnceItIsTakenUp() throws Exception {
        ObjectStore.Stored stored = new ObjectStore(directory, 0, 100).put(name, new byte[] {1, 2, 3});

        ObjectStore next = new ObjectStore(directory, 0, 100);
        assertThat(next.all()).as("held before it is taken up").isEmpty();
        assertThat(next.freeBytes()).isEqualTo(97);
        next.former().takeUp(stored);

        assertThat(next.former().drop()).isZero();
        assertThat(next.read(next.find(name).orElseThrow())).containsExactly(1, 2, 3);
        assertThat(next.put(new ObjectName(FutureId.random(), 1), new byte[90]).bytes())
                .isEqualTo(90);
        next.delete(name);
        assertThat(next.freeBytes()).isEqualTo(10);
        assertThat(files()).isEqualTo(1);
    }

    @Test
    void whatIsNotTakenUpIsDropped() throws Exception {
        ObjectStore.Stored stored = new ObjectStore(directory, 0, 100).put(name, new byte[10]);
        ObjectStore next = new ObjectStore(directory, 0, 100);

        next.former().takeUp(new ObjectStore.Stored(name, 10, stored.checksum() + 1));

        assertThat(next.all()).as("another content of that name").isEmpty();
        assertThat(next.former().drop()).isEqualTo(1);
        assertThat(next.freeBytes()).isEqualTo(100);
        assertThat(files()).isZero();
    }

    @Test
    void filesThatAreNoCompleteObjectsAreDeleted() throws Exception {
        ObjectStore.Stored torn = new ObjectStore(directory, 0, 100).put(name, new byte[10]);
        Files.write(file(), new byte[9]);
        Files.write(directory.resolve("7"), new byte[5]);
        Files.write(directory.resolve("of somebody else"), new byte[5]);

        ObjectStore next = new ObjectStore(directory, 0, 100);

        assertThat(files()).isZero();
        next.former().takeUp(torn);
        assertThat(next.all()).isEmpty();
        assertThat(next.freeBytes()).isEqualTo(100);
    }

    @Test
    void aFormerObjectThatIsDamagedIsNotTakenUp() throws Exception {
        ObjectStore.Stored stored = new ObjectStore(directory, 0, 100).put(name, new byte[10]);
        Files.write(file(), new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 0, 0});
        ObjectStore next = new ObjectStore(directory, 0, 100);

        next.former().takeUp(stored);

        assertThat(next.all()).isEmpty();
        assertThat(files()).isZero();
    }

    @Test
    void whatIsWrittenDownMovesFromMemoryToAFile() throws Exception {
        ObjectStore store = new ObjectStore(directory, MemoryPool.PIECE_BYTES, 100);
        ObjectStore.Stored stored = store.put(name, new byte[] {1, 2, 3});

        try (HeldObject held = store.hold(stored);
                InputStream reading = held.open()) {
            store.writeDown(stored);
            assertThat(reading.readAllBytes()).as("who reads it meanwhile").containsExactly(1, 2, 3);
        }

        assertThat(store.read(stored)).containsExactly(1, 2, 3);
        assertThat(store.usedBytes()).isEqualTo(3);
        assertThat(store.freeBytes()).isEqualTo(MemoryPool.PIECE_BYTES + 97);
        ObjectStore next = new ObjectStore(directory, 0, 100);
        next.former().takeUp(stored);
        assertThat(next.read(stored)).containsExactly(1, 2, 3);
    }

    private Path file() throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findFirst().orElseThrow();
        }
    }

    private long files() throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            return files.count();
        }
    }
}
