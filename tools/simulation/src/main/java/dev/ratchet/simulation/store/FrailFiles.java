/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.store;

import dev.ratchet.circuits.batch.BatchFile;
import dev.ratchet.circuits.state.CorruptStateException;
import dev.ratchet.circuits.state.StateFiles;
import dev.ratchet.simulation.world.VirtualThreads;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntSupplier;

/**
 * A directory in memory. When the power goes off, a file that was not synced keeps any beginning of its bytes, and of
 * the changes of names since these were synced any have happened. Used by threads of simulated processes.
 */
final class FrailFiles implements StateFiles {

    private final Map<String, Content> names;
    private final Map<String, Content> durable;
    private final List<NameChange> unsynced = new ArrayList<>();
    private final IntSupplier slowMillis;

    private static final class Content {
        private byte[] bytes = new byte[256];
        private int length;
        private boolean synced;

        void append(byte[] source, int offset, int count) {
            if (length + count > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(length + count, 2 * bytes.length));
            }
            System.arraycopy(source, offset, bytes, length, count);
            length += count;
        }

        Content beginning(int bytesKept) {
            Content left = new Content();
            left.append(bytes, 0, bytesKept);
            left.synced = true;
            return left;
        }
    }

    /** A name that is another file's from now on, or nobody's; the file had another name before, or none. */
    private record NameChange(Map<String, Content> added, List<String> removed) {
        void on(Map<String, Content> names) {
            names.keySet().removeAll(removed);
            names.putAll(added);
        }
    }

    private FrailFiles(Map<String, Content> content, IntSupplier slowMillis) {
        this.names = new TreeMap<>(content);
        this.durable = new TreeMap<>(content);
        this.slowMillis = slowMillis;
    }

    /** @param slowMillis how long the sync of a file takes at most */
    static FrailFiles empty(IntSupplier slowMillis) {
        return new FrailFiles(Map.of(), slowMillis);
    }

    /** What is there after the power went off now. */
    FrailFiles afterCrash(SplittableRandom random, IntSupplier slowMillisThen) {
        Map<String, Content> left = new TreeMap<>(durable);
        int percentKept = random.nextInt(101);
        unsynced.stream().filter(change -> random.nextInt(100) < percentKept).forEach(change -> change.on(left));
        left.replaceAll(
                (name, content) -> content.synced ? content : content.beginning(random.nextInt(content.length + 1)));
        return new FrailFiles(left, slowMillisThen);
    }

    private void change(NameChange change) {
        change.on(names);
        unsynced.add(change);
    }

    private Content content(String name) {
        Content content = names.get(name);
        if (content == null) {
            throw new UncheckedIOException(new IOException("There is no file " + name));
        }
        return content;
    }

    @Override
    public String place() {
        return "a simulated disk";
    }

    @Override
    public List<String> list() {
        return List.copyOf(names.keySet());
    }

    @Override
    public Output create(String name) {
        Content content = new Content();
        change(new NameChange(Map.of(name, content), List.of()));
        return new Output() {
            @Override
            public void append(byte[] bytes, int offset, int length) {
                content.append(bytes, offset, length);
            }

            @Override
            public void close() {
                // Nothing is held back.
            }
        };
    }

    @Override
    public BatchFile open(String name) {
        Content content = content(name);
        return new BatchFile() {
            @Override
            public String name() {
                return place() + "/" + name;
            }

            @Override
            public void read(long position, byte[] into) {
                if (position + into.length > content.length) {
                    throw new CorruptStateException(name() + " ends before byte " + (position + into.length));
                }
                System.arraycopy(content.bytes, (int) position, into, 0, into.length);
            }
        };
    }

    @Override
    public long length(String name) {
        return content(name).length;
    }

    /** Takes no time for a manifest: others wait for a monitor meanwhile, and such waits are not simulated. */
    @Override
    public void sync(String name) {
        Content content = content(name);
        int slow = slowMillis.getAsInt();
        if (slow > 0 && !name.startsWith("manifest-")) {
            try {
                VirtualThreads.sleep(VirtualThreads.current().random().nextInt(slow));
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new UncheckedIOException(new InterruptedIOException("The sync of " + name + " was stopped"));
            }
        }
        content.synced = true;
    }

    @Override
    public void rename(String from, String to) {
        change(new NameChange(Map.of(to, content(from)), List.of(from)));
    }

    @Override
    public void delete(String name) {
        change(new NameChange(Map.of(), List.of(name)));
    }

    @Override
    public void syncNames() {
        unsynced.forEach(change -> change.on(durable));
        unsynced.clear();
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
