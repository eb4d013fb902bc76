/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code STATE} of a store directory: which format it has, which generation it is of, and which files count.
 * Replaced as a whole by a rename.
 *
 * @param format version of the layout of all files
 * @param generation raised by every restore
 * @param epoch number with which the names of all files that count begin; a restore writes under the next one
 * @param firstVersion no version up to this one is handed out: what was before a restore
 */
record StoreState(int format, long generation, long epoch, long firstVersion) {
    /** The format that this release begins new directories with: the data rest on pages. */
    static final int FORMAT = 2;
    /** The format in which the data are in memory, and a snapshot holds all of them. */
    static final int WHOLE_SNAPSHOTS = 1;
    /** The oldest format that this release reads. */
    static final int OLDEST_FORMAT = 1;

    static final String NAME = "STATE";
    private static final String NEW_NAME = "STATE.new";

    /** What an empty directory begins with. */
    static StoreState first() {
        return new StoreState(FORMAT, 1, 1, 1_000_000);
    }

    /** Whether the data rest on pages. */
    boolean isPaged() {
        return format != WHOLE_SNAPSHOTS;
    }

    /** What a directory says; null when it is empty. */
    static @Nullable StoreState read(Disk disk) throws IOException {
        if (!isStore(disk.list(), disk.describe())) {
            return null;
        }
        ByteBuffer bytes = readWhole(disk, NAME);
        ByteBuffer payload = LogFrames.take(bytes);
        if (payload == null) {
            throw new StoreDirectoryException(
                    "The file STATE in " + disk.describe() + " is damaged. Nothing was changed; restore a backup");
        }
        int format = payload.getInt();
        if (format < OLDEST_FORMAT || format > FORMAT) {
            throw new StoreDirectoryException("The store directory " + disk.describe() + " has format " + format
                    + ", and this release reads " + OLDEST_FORMAT + " to " + FORMAT
                    + ". Nothing was changed; use a release of its age");
        }
        return new StoreState(format, payload.getLong(), payload.getLong(), payload.getLong());
    }

    /**
     * Whether files of these names are a store; if there are none, they can become one.
     *
     * @throws StoreDirectoryException if they are something else
     */
    static boolean isStore(List<String> names, String directory) {
        if (names.contains(NAME)) {
            return true;
        }
        for (String name : names) {
            if (!name.equals(NEW_NAME)) {
                throw new StoreDirectoryException("The directory " + directory + " holds " + name
                        + " but no file STATE: it is not a store, or damaged. Nothing was changed; choose an empty"
                        + " directory or restore a backup");
            }
        }
        return false;
    }

    static ByteBuffer readWhole(Disk disk, String name) throws IOException {
        try (Disk.File file = disk.open(name)) {
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
            file.read(bytes, 0);
            return bytes.flip();
        }
    }

    void write(Disk disk) throws IOException {
        if (disk.list().contains(NEW_NAME)) {
            disk.delete(NEW_NAME);
        }
        FrameWriter out = new FrameWriter();
        out.begin();
        for (int shift = 24; shift >= 0; shift -= 8) {
            out.putByte(format >>> shift);
        }
        out.putLong(generation);
        out.putLong(epoch);
        out.putLong(firstVersion);
        out.end();
        try (Disk.File file = disk.create(NEW_NAME)) {
            file.append(out.content());
            file.sync();
        }
        disk.rename(NEW_NAME, NAME);
        disk.syncDirectory();
    }

    String logName(long sequence) {
        return "%06x-%012x.log".formatted(epoch, sequence);
    }

    String snapshotName(long version) {
        return "%06x-%016x.snapshot".formatted(epoch, version);
    }

    String rootName(long version) {
        return "%06x-%016x.root".formatted(epoch, version);
    }

    String pagesName(long number) {
        return "%06x-%08x.pages".formatted(epoch, number);
    }

    /** Under which name the next file of the log is made ready. */
    String spareName(long sequence) {
        return "%06x-%012x.part".formatted(epoch, sequence);
    }

    /** Under which name a snapshot is written before it is whole. */
    String partName(long version) {
        return "%06x-%016x.part".formatted(epoch, version);
    }

    boolean owns(String name) {
        return name.startsWith("%06x-".formatted(epoch));
    }

    static long numberOf(String name) {
        return Long.parseLong(name.substring(name.indexOf('-') + 1, name.indexOf('.')), 16);
    }
}
