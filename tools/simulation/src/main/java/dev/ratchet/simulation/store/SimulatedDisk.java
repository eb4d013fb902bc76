/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.store;

import dev.ratchet.store.log.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** A disk in memory. Of what was written after the last sync of a file, a crash keeps any beginning. */
final class SimulatedDisk implements Disk {

    private final Map<String, Content> files = new TreeMap<>();

    private static final class Content {
        private byte[] bytes = new byte[4_096];
        private int length;
        private int durable;

        void append(ByteBuffer source) {
            int end = length + source.remaining();
            if (end > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
            }
            source.get(bytes, length, source.remaining());
            length = end;
        }
    }

    /** What is there after the power went off now. */
    SimulatedDisk afterCrash(SplittableRandom random) {
        SimulatedDisk left = new SimulatedDisk();
        files.forEach((name, content) -> {
            Content kept = new Content();
            int extra = content.length - content.durable;
            kept.length = content.durable + (extra == 0 ? 0 : random.nextInt(extra + 1));
            kept.durable = kept.length;
            kept.bytes = Arrays.copyOf(content.bytes, content.bytes.length);
            left.files.put(name, kept);
        });
        return left;
    }

    @Override
    public List<String> list() {
        return List.copyOf(files.keySet());
    }

    @Override
    public File create(String name) throws IOException {
        if (files.putIfAbsent(name, new Content()) != null) {
            throw new IOException(name + " exists");
        }
        return open(name);
    }

    @Override
    public File open(String name) throws IOException {
        Content content = files.get(name);
        if (content == null) {
            throw new IOException(name + " does not exist");
        }
        return new Open(content);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Content content = files.remove(from);
        if (content == null) {
            throw new IOException(from + " does not exist");
        }
        files.put(to, content);
    }

    @Override
    public void delete(String name) {
        files.remove(name);
    }

    @Override
    public void syncDirectory() {
        // Names are durable at once: what a torn rename leaves is the subject of the store's own tests.
    }

    @Override
    public String describe() {
        return "a simulated disk";
    }

    @Override
    public void close() {
        // Nothing is held.
    }

    private record Open(Content content) implements File {

        @Override
        public long size() {
            return content.length;
        }

        @Override
        public int read(ByteBuffer target, long position) {
            int count = Math.max(0, Math.min(target.remaining(), content.length - (int) position));
            target.put(content.bytes, (int) position, count);
            return count;
        }

        @Override
        public void append(ByteBuffer source) {
            content.append(source);
        }

        @Override
        public void truncate(long size) {
            content.length = (int) size;
            content.durable = Math.min(content.durable, content.length);
        }

        @Override
        public void sync() {
            content.durable = content.length;
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}
