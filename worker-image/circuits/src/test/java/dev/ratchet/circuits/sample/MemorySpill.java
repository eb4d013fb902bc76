/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sample;

import dev.ratchet.circuits.batch.BatchFile;
import dev.ratchet.circuits.batch.BatchSpill;
import dev.ratchet.circuits.batch.BlockCache;
import java.io.ByteArrayOutputStream;
import java.util.HashSet;
import java.util.Set;

/** Files that are arrays; a file that was discarded twice or never given is an error. */
public final class MemorySpill implements BatchSpill {

    private final BlockCache cache = new BlockCache(20_000);
    private final Set<BatchFile> files = new HashSet<>();
    private int unfinished;

    @Override
    public SpillFile create() {
        unfinished++;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        return new SpillFile() {
            @Override
            public void append(byte[] bytes, int offset, int length) {
                out.write(bytes, offset, length);
            }

            @Override
            public BatchFile finish() {
                unfinished--;
                ArrayFile file = new ArrayFile(out.toByteArray());
                files.add(file);
                return file;
            }

            @Override
            public void abandon() {
                unfinished--;
            }
        };
    }

    @Override
    public BlockCache cache() {
        return cache;
    }

    @Override
    public void discard(BatchFile file) {
        if (!files.remove(file)) {
            throw new AssertionError("discarded a file that is not there");
        }
    }

    public int files() {
        return files.size();
    }

    public int unfinished() {
        return unfinished;
    }

    /** Equal by identity. */
    private static final class ArrayFile implements BatchFile {
        private final byte[] bytes;

        ArrayFile(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public String name() {
            return "spilled";
        }

        @Override
        public void read(long position, byte[] into) {
            System.arraycopy(bytes, (int) position, into, 0, into.length);
        }
    }
}
