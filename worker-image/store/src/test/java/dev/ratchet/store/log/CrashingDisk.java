/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A disk in memory that can die: of what was written to a file after its last sync, a crash keeps any part, and of what
 * was done to names after the last sync of the directory any first part, as a file system with a journal does; a seed
 * chooses. Counts its writes, so that a run can be crashed at each of them, and can be told to fail or to be full from
 * one on.
 */
final class CrashingDisk implements Disk {

    /** Of the room that is reserved, so much is told from what was never asked for. */
    private static final int RESERVED_BYTES_MAX = 20_000;

    private final Map<String, Content> files = new TreeMap<>();
    /** What the names were at the last sync of the directory and after each change since. */
    private final List<Map<String, Content>> directories = new ArrayList<>();

    private final Random random;
    private final AtomicLong readBytes = new AtomicLong();
    private int writes;
    private int failFrom = Integer.MAX_VALUE;

    /** Bytes of a file, how many of them are durable, and how long the file is with the room after them. */
    private static final class Content {
        private byte[] bytes = new byte[0];
        private int durable;
        private int reserved;
    }

    CrashingDisk(long seed) {
        random = new Random(seed);
        directories.add(Map.of());
    }

    /** How many writes and syncs there were. */
    int writes() {
        return writes;
    }

    /** How many bytes have been read. */
    long readBytes() {
        return readBytes.get();
    }

    /** From the given write on, every one fails. */
    void failFrom(int write) {
        failFrom = write;
    }

    /** What a machine finds that starts after the power went off now. */
    CrashingDisk afterCrash() {
        CrashingDisk left = new CrashingDisk(random.nextLong());
        directories.get(random.nextInt(directories.size())).forEach((name, content) -> {
            Content kept = new Content();
            int extra = content.bytes.length - content.durable;
            int length = content.durable + (extra == 0 ? 0 : random.nextInt(extra + 1));
            kept.bytes = Arrays.copyOf(content.bytes, Math.max(length, content.reserved));
            for (int i = content.durable; i < kept.bytes.length; i++) {
                // Pages reach the disk in any order: some of the torn end may never have.
                kept.bytes[i] = i >= length || random.nextInt(10) == 0 ? 0 : kept.bytes[i];
            }
            kept.durable = kept.bytes.length;
            left.files.put(name, kept);
        });
        left.directories.set(0, new TreeMap<>(left.files));
        return left;
    }

    /** This disk as the next process finds it after one was killed: all that was written is there, durable or not. */
    CrashingDisk afterKill() {
        failFrom = Integer.MAX_VALUE;
        for (Content content : files.values()) {
            content.bytes = Arrays.copyOf(content.bytes, Math.max(content.bytes.length, content.reserved));
            content.reserved = 0;
        }
        return this;
    }

    /** Changes one bit of a file. */
    void flip(String name, int position) {
        files.get(name).bytes[position] ^= 4;
    }

    /** Changes one bit somewhere in one of the files, one of which must not be empty. */
    void flipAnyOf(List<String> names) {
        List<String> full = names.stream().filter(name -> length(name) > 0).toList();
        String name = full.get(random.nextInt(full.size()));
        flip(name, random.nextInt(length(name)));
    }

    int length(String name) {
        return files.get(name).bytes.length;
    }

    /** All names and bytes. */
    String content() {
        StringBuilder all = new StringBuilder();
        files.forEach((name, content) -> all.append(name)
                .append(' ')
                .append(HexFormat.of().formatHex(content.bytes))
                .append('\n'));
        return all.toString();
    }

    private void count() throws IOException {
        if (++writes >= failFrom) {
            throw new IOException("No space left on device");
        }
    }

    @Override
    public synchronized List<String> list() {
        return new ArrayList<>(files.keySet());
    }

    @Override
    public synchronized File create(String name) throws IOException {
        count();
        if (files.containsKey(name)) {
            throw new IOException(name + " exists");
        }
        files.put(name, new Content());
        directories.add(new TreeMap<>(files));
        return new Open(files.get(name));
    }

    @Override
    public synchronized File open(String name) throws IOException {
        Content content = files.get(name);
        if (content == null) {
            throw new IOException(name + " does not exist");
        }
        return new Open(content);
    }

    @Override
    public synchronized void rename(String from, String to) throws IOException {
        count();
        files.put(to, files.remove(from));
        directories.add(new TreeMap<>(files));
    }

    @Override
    public synchronized void delete(String name) throws IOException {
        count();
        files.remove(name);
        directories.add(new TreeMap<>(files));
    }

    @Override
    public synchronized void syncDirectory() throws IOException {
        count();
        directories.clear();
        directories.add(new TreeMap<>(files));
    }

    @Override
    public String describe() {
        return "disk";
    }

    @Override
    public void close() {}

    private final class Open implements File {
        private final Content content;

        Open(Content content) {
            this.content = content;
        }

        @Override
        public long size() {
            return content.bytes.length;
        }

        @Override
        public int read(ByteBuffer target, long position) {
            int count = Math.min(target.remaining(), content.bytes.length - (int) position);
            target.put(content.bytes, (int) position, Math.max(0, count));
            readBytes.addAndGet(Math.max(0, count));
            return Math.max(0, count);
        }

        @Override
        public void append(ByteBuffer source) throws IOException {
            count();
            int end = content.bytes.length;
            content.bytes = Arrays.copyOf(content.bytes, end + source.remaining());
            source.get(content.bytes, end, content.bytes.length - end);
        }

        @Override
        public void reserve(long bytes) throws IOException {
            count();
            content.reserved = content.bytes.length + (int) Math.min(bytes, RESERVED_BYTES_MAX);
        }

        @Override
        public void truncate(long size) throws IOException {
            count();
            content.bytes = Arrays.copyOf(content.bytes, (int) size);
            content.durable = Math.min(content.durable, (int) size);
            content.reserved = 0;
        }

        @Override
        public void sync() throws IOException {
            count();
            content.durable = content.bytes.length;
        }

        @Override
        public void close() {}
    }
}
