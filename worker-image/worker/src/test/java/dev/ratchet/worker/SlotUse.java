/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SessionInfo;
import dev.ratchet.client.TaskContext;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What a user's program would ship: takes the lock of a file that stands for the slot of its session, as long as the
 * test wants. The kernel takes the lock from whoever is killed, and gives it to nobody else before.
 */
final class SlotUse implements SerializableCallable<String> {
    private static final long serialVersionUID = 1L;

    private static final long LIMIT_NANOS = 120_000_000_000L;

    private final String directory;
    private final String name;

    /** @param name of the use: it says that it has begun, and goes on until it is told to end */
    SlotUse(Path directory, String name) {
        this.directory = directory.toString();
        this.name = name;
    }

    /** Which process has begun a use, as often as it has. */
    static Path begun(Path directory, String name, String seat, long bindings) {
        return directory.resolve(name + "." + seat + "." + bindings);
    }

    static Path end(Path directory, String name) {
        return directory.resolve(name + ".end");
    }

    @Override
    public String call() throws Exception {
        SessionInfo session = TaskContext.current().session().orElseThrow();
        Path folder = Path.of(directory);
        Path slot = folder.resolve(
                session.seat() + ".slot" + session.slots().get("gpu").getFirst());
        try (FileChannel channel = FileChannel.open(slot, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                throw new IllegalStateException("Two sessions use " + slot);
            }
            Files.createFile(begun(folder, name, session.seat(), session.bindings()));
            long began = System.nanoTime();
            while (!Files.exists(end(folder, name))) {
                if (System.nanoTime() - began > LIMIT_NANOS) {
                    throw new IllegalStateException("Nobody has ended the use " + name);
                }
                Thread.sleep(20);
            }
            return session.seat();
        }
    }
}
