/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import dev.ratchet.futures.object.ObjectStore.Stored;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The complete objects that former processes have left in the folder of an object store, such as on a volume. They are
 * not held: each is taken up once a record is known to want exactly it, after its content was checked; the rest is
 * dropped. They take room until then. Files that are incomplete, of another length than their name says, or no objects
 * are deleted at once. Safe for use by several threads.
 */
public final class FormerObjects {

    private static final Logger LOG = LoggerFactory.getLogger(FormerObjects.class);

    private final ObjectStore store;
    private final Map<Stored, FileContent> found = new ConcurrentHashMap<>();
    private final long lastNumber;

    /**
     * Looks into a folder.
     *
     * @param released is told of the room that has become free
     * @throws IOException if it can not be read, or what is no object can not be deleted
     */
    FormerObjects(ObjectStore store, Path folder, LongConsumer released) throws IOException {
        this.store = store;
        long last = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Optional<ObjectFileName> name =
                        ObjectFileName.parse(file.getFileName().toString());
                if (name.isEmpty()
                        || Files.size(file) != name.get().object().bytes()
                        || found.containsKey(name.get().object())) {
                    Files.delete(file);
                } else {
                    found.put(name.get().object(), FileContent.complete(name.get(), folder, released));
                    last = Math.max(last, Long.parseLong(name.get().number()));
                }
            }
        }
        lastNumber = last;
    }

    /** The highest number of a file. */
    long lastNumber() {
        return lastNumber;
    }

    /** What they take. */
    long bytes() {
        return found.keySet().stream().mapToLong(Stored::bytes).sum();
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    /** Holds exactly this object from now on, if it is there and undamaged; reads it once. */
    public void takeUp(Stored object) {
        FileContent content = found.remove(object);
        if (content == null) {
            return;
        }
        try {
            CheckedChannel.readAll(content, object);
            store.hold(object, content);
        } catch (IOException damaged) {
            LOG.warn("an object of a former process is dropped object={}", object.name(), damaged);
            content.release();
        }
    }

    /** Deletes what was not taken up; how many those were. */
    public int drop() {
        int dropped = 0;
        for (Stored object : List.copyOf(found.keySet())) {
            FileContent content = found.remove(object);
            if (content != null) {
                content.release();
                dropped++;
            }
        }
        return dropped;
    }
}
