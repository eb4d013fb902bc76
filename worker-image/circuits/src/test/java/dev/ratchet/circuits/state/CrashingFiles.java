/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import dev.ratchet.circuits.batch.BatchFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A directory in memory that fails at a given operation, as a full disk does or as the machine does. After a crash a
 * file that was not synced has any prefix of its bytes, the rest lost or garbage, and of the changes of names since the
 * last sync any are there: file systems store the later of two without the earlier.
 */
final class CrashingFiles implements StateFiles {

    private static final class Content {
        byte[] bytes = new byte[0];
        boolean synced;
    }

    private final SplittableRandom random;
    private final Map<String, Content> names;
    private final List<Runnable> unsyncedNames = new ArrayList<>();
    private final Map<String, Content> durable;
    private long operationsLeft = Long.MAX_VALUE;
    long operations;
    long bytesRead;
    boolean open = true;

    CrashingFiles(long seed) {
        this(new SplittableRandom(seed), new TreeMap<>());
    }

    private CrashingFiles(SplittableRandom random, Map<String, Content> content) {
        this.random = random;
        this.names = new TreeMap<>(content);
        this.durable = new TreeMap<>(content);
    }

    /** Fails at the operation after that many more. */
    void failAfter(long count) {
        operationsLeft = count;
    }

    /** The directory as another process finds it. */
    CrashingFiles restart(boolean machineCrashed) {
        Map<String, Content> left = new TreeMap<>();
        if (machineCrashed) {
            // All, none, or of some the most.
            int percentKept = random.nextInt(101);
            unsyncedNames.stream()
                    .filter(change -> random.nextInt(100) < percentKept)
                    .forEach(Runnable::run);
            durable.forEach((name, content) -> left.put(name, content.synced ? content : torn(content)));
        } else {
            left.putAll(names);
        }
        return new CrashingFiles(random.split(), left);
    }

    private Content torn(Content content) {
        Content left = new Content();
        left.bytes = Arrays.copyOf(content.bytes, random.nextInt(content.bytes.length + 1));
        if (random.nextBoolean() && left.bytes.length > 0) {
            left.bytes[random.nextInt(left.bytes.length)] ^= 1;
        }
        return left;
    }

    private synchronized void work() {
        operations++;
        if (operationsLeft-- <= 0) {
            throw new UncheckedIOException(new IOException("No space left on device"));
        }
    }

    private void changeNames(String add, Content content, String remove) {
        Runnable change = () -> {
            if (remove != null) {
                durable.remove(remove);
            }
            if (add != null) {
                durable.put(add, content);
            }
        };
        unsyncedNames.add(change);
    }

    void damage(String name, int at) {
        byte[] bytes = names.get(name).bytes.clone();
        bytes[at] ^= 0x20;
        replace(name, bytes);
    }

    void cut(String name, int length) {
        replace(name, Arrays.copyOf(names.get(name).bytes, length));
    }

    private void replace(String name, byte[] bytes) {
        Content content = new Content();
        content.bytes = bytes;
        names.put(name, content);
    }

    @Override
    public String place() {
        return "memory";
    }

    @Override
    public synchronized List<String> list() {
        return List.copyOf(names.keySet());
    }

    @Override
    public synchronized Output create(String name) {
        work();
        Content content = new Content();
        names.put(name, content);
        changeNames(name, content, null);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        return new Output() {
            @Override
            public void append(byte[] bytes, int offset, int length) {
                work();
                out.write(bytes, offset, length);
            }

            @Override
            public void close() {
                content.bytes = out.toByteArray();
            }
        };
    }

    @Override
    public BatchFile open(String name) {
        Content content = content(name);
        return new BatchFile() {
            @Override
            public String name() {
                return "memory/" + name;
            }

            @Override
            public void read(long position, byte[] into) {
                bytesRead += into.length;
                if (position + into.length > content.bytes.length) {
                    throw new CorruptStateException("memory/" + name + " ends early");
                }
                System.arraycopy(content.bytes, (int) position, into, 0, into.length);
            }
        };
    }

    private synchronized Content content(String name) {
        Content content = names.get(name);
        if (content == null) {
            throw new UncheckedIOException(new IOException("no file " + name));
        }
        return content;
    }

    @Override
    public long length(String name) {
        return content(name).bytes.length;
    }

    @Override
    public synchronized void sync(String name) {
        work();
        content(name).synced = true;
    }

    @Override
    public synchronized void rename(String from, String to) {
        work();
        Content content = content(from);
        names.remove(from);
        names.put(to, content);
        changeNames(to, content, from);
    }

    @Override
    public synchronized void delete(String name) {
        work();
        names.remove(name);
        changeNames(null, null, name);
    }

    @Override
    public synchronized void syncNames() {
        work();
        unsyncedNames.forEach(Runnable::run);
        unsyncedNames.clear();
    }

    @Override
    public void close() {
        open = false;
    }
}
