/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.FutureId;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObjectStoreTest {

    @TempDir
    Path directory;

    private final ObjectName name = new ObjectName(FutureId.random(), 1);

    @Test
    void whatIsPutIsReadAndFreesItsRoomWhenDeleted() throws Exception {
        ObjectStore store = new ObjectStore(directory, 100);
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
        ObjectStore store = new ObjectStore(directory, 100);
        store.put(name, new byte[60]);

        assertThatThrownBy(() -> store.put(new ObjectName(FutureId.random(), 1), new byte[41]))
                .isInstanceOf(ObjectStoreFullException.class)
                .hasMessageContaining("bytes=41 used=60 limit=100");
        store.put(new ObjectName(FutureId.random(), 1), new byte[40]);

        assertThat(store.usedBytes()).isEqualTo(100);
    }

    @Test
    void anObjectThatDoesNotArriveWholeLeavesNothing() throws Exception {
        ObjectStore store = new ObjectStore(directory, 100);
        try (ObjectWriter writer = store.begin(name, 10)) {
            writer.write(ByteBuffer.wrap(new byte[9]));
            assertThatThrownBy(() -> writer.complete(0)).hasMessageContaining("damaged");
        }

        assertThat(store.find(name)).isEmpty();
        assertThat(store.usedBytes()).isZero();
        assertThat(files()).isZero();
    }

    @Test
    void damageOnDiskIsFound() throws Exception {
        ObjectStore store = new ObjectStore(directory, 100);
        ObjectStore.Stored stored = store.put(name, new byte[10]);
        Files.write(directory.resolve(name.fileName()), new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 0, 0});

        assertThatThrownBy(() -> store.read(stored)).hasMessageContaining("damaged");
    }

    @Test
    void aNewIncarnationStartsEmpty() throws Exception {
        new ObjectStore(directory, 100).put(name, new byte[10]);

        ObjectStore next = new ObjectStore(directory, 100);

        assertThat(next.all()).isEmpty();
        assertThat(files()).isZero();
    }

    private long files() throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            return files.count();
        }
    }
}
