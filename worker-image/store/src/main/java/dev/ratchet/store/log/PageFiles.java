/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import dev.ratchet.store.ordered.PageStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The files of pages of a store directory, by ascending number. Pages go to the end of the last one, and a new one is
 * begun when that is long enough; what lies in them is never changed, and whole files are deleted once no tree that
 * anybody can read needs them.
 *
 * <p>Pages gather in memory and are written many at a time: a call for each costs more than its bytes. Those that could
 * not be written stay there, can be read, and go to their place with the next attempt.
 *
 * <p>After a sync that failed it is not known which pages the disk has: nothing more can be made durable then until the
 * next start, which goes on from the last root and the log.
 */
final class PageFiles implements PageStore, Closeable {

    private static final long FILE_BYTES_MAX = 64L << 20;
    private static final long FILE_BYTES_MIN = 16L << 10;
    /** By steps of so many bytes, that the log beside it does not wait long for the disk. */
    private static final long SYNC_BYTES = 8L << 20;

    private static final int GATHERED_BYTES_MAX = 256 << 10;

    private final Disk disk;
    private final StoreState state;
    private final long fileBytesMax;
    private final ConcurrentSkipListMap<Long, Disk.File> files = new ConcurrentSkipListMap<>();
    /** What belongs to the end of the last file. Locked to change it, and to read it beside its one writer. */
    private final ByteBuffer gathered = ByteBuffer.allocate(GATHERED_BYTES_MAX);
    /** Where in the files that goes: nowhere yet. */
    private volatile Position gatheredAt = new Position(0, 0);

    private volatile boolean stopped;
    private long unsyncedBytes;
    private @Nullable IOException failure;

    /** None yet. Files are as long as the memory for data, within bounds. */
    PageFiles(Disk disk, StoreState state, long dataBytesMax) {
        this.disk = disk;
        this.state = state;
        fileBytesMax = Math.clamp(dataBytesMax, FILE_BYTES_MIN, FILE_BYTES_MAX);
    }

    /**
     * Opens a file that a root counts on.
     *
     * @throws StoreDirectoryException if it is missing or too short
     */
    void open(long number, long minimumBytes) throws IOException {
        String name = state.pagesName(number);
        if (!disk.list().contains(name)) {
            throw new StoreDirectoryException("The file " + name + " with data of the store is missing in "
                    + disk.describe() + ". Nothing was changed; restore a backup");
        }
        Disk.File file = disk.open(name);
        files.put(number, file);
        if (file.size() < minimumBytes) {
            throw new StoreDirectoryException("The file " + disk.describe() + "/" + name + " has " + file.size()
                    + " bytes and lacks some, up to " + minimumBytes + ". Nothing was changed; restore a backup");
        }
    }

    /** Cuts off the end of the last file, which a root that never came to be has left. */
    void cutLast(long bytes) throws IOException {
        Map.Entry<Long, Disk.File> last = files.lastEntry();
        if (last != null && last.getValue().size() > bytes) {
            last.getValue().truncate(bytes);
        }
    }

    /** How long a file gets before the next one is begun. */
    long fileBytesMax() {
        return fileBytesMax;
    }

    /** From now on nothing is written: whoever is writing ends soon. */
    void stop() {
        stopped = true;
    }

    @Override
    public Position append(ByteBuffer page) throws IOException {
        if (stopped) {
            throw new IOException("The store is being closed");
        }
        if (page.remaining() > gathered.remaining()) {
            writeGathered();
        }
        Disk.File file = lastFile();
        Position position = new Position(gatheredAt.file(), gatheredAt.offset() + gathered.position());
        if (page.remaining() <= gathered.remaining()) {
            synchronized (gathered) {
                gathered.put(page);
            }
        } else {
            write(file, page);
        }
        return position;
    }

    /** The file that pages go to. */
    private Disk.File lastFile() throws IOException {
        Map.Entry<Long, Disk.File> last = files.lastEntry();
        if (last != null && last.getKey() != gatheredAt.file()) {
            gatheredAt = new Position(last.getKey(), last.getValue().size());
        }
        if (last == null || gatheredAt.offset() + gathered.position() >= fileBytesMax) {
            sync();
            long next = last == null ? 1 : last.getKey() + 1;
            files.put(next, disk.create(state.pagesName(next)));
            gatheredAt = new Position(next, 0);
            last = files.lastEntry();
        }
        return last.getValue();
    }

    private void writeGathered() throws IOException {
        Disk.File file = files.get(gatheredAt.file());
        if (file != null && gathered.position() > 0) {
            write(file, gathered.duplicate().flip());
        }
    }

    private void write(Disk.File file, ByteBuffer pages) throws IOException {
        int length = pages.remaining();
        Position at = gatheredAt;
        if (file.size() != at.offset()) {
            throw new IOException("Pages that were written by half could not be removed; restart the store");
        }
        try {
            file.append(pages);
        } catch (IOException e) {
            giveUpOn(file, at.offset(), e);
            throw e;
        }
        synchronized (gathered) {
            gathered.clear();
            gatheredAt = new Position(at.file(), at.offset() + length);
        }
        unsyncedBytes += length;
        if (unsyncedBytes >= SYNC_BYTES) {
            syncLast();
        }
    }

    /** What was written by half must not be in the way of the next page. */
    private static void giveUpOn(Disk.File file, long offset, IOException cause) {
        try {
            file.truncate(offset);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /** Makes all pages durable. */
    void sync() throws IOException {
        writeGathered();
        syncLast();
    }

    private void syncLast() throws IOException {
        if (failure != null) {
            throw new IOException("An earlier write of pages failed; restart the store", failure);
        }
        Map.Entry<Long, Disk.File> last = files.lastEntry();
        if (last != null && unsyncedBytes > 0) {
            try {
                last.getValue().sync();
            } catch (IOException e) {
                failure = e;
                throw e;
            }
            unsyncedBytes = 0;
        }
    }

    @Override
    public void read(long number, long offset, ByteBuffer page) throws IOException {
        Disk.File file = files.get(number);
        if (file == null) {
            throw new IOException("the file is gone");
        }
        if (!readGathered(number, offset, page)) {
            file.read(page, offset);
        }
    }

    private boolean readGathered(long number, long offset, ByteBuffer page) {
        if (isWritten(number, offset)) {
            return false;
        }
        synchronized (gathered) {
            if (isWritten(number, offset)) {
                return false;
            }
            int from = (int) (offset - gatheredAt.offset());
            int length = Math.min(page.remaining(), gathered.position() - from);
            page.put(gathered.duplicate().clear().position(from).limit(from + length));
            return true;
        }
    }

    private boolean isWritten(long number, long offset) {
        Position at = gatheredAt;
        return number != at.file() || offset < at.offset();
    }

    @Override
    public String describe(long number) {
        return disk.describe() + "/" + state.pagesName(number);
    }

    /** Numbers and lengths of all files, the oldest first. */
    Map<Long, Long> sizes() throws IOException {
        Map<Long, Long> sizes = new java.util.TreeMap<>();
        for (Map.Entry<Long, Disk.File> file : files.entrySet()) {
            sizes.put(file.getKey(), file.getValue().size());
        }
        return sizes;
    }

    /** Deletes the files before a number. */
    void deleteBefore(long number) throws IOException {
        while (!files.isEmpty() && files.firstKey() < number) {
            Map.Entry<Long, Disk.File> oldest = files.pollFirstEntry();
            oldest.getValue().close();
            disk.delete(state.pagesName(oldest.getKey()));
        }
    }

    @Override
    public void close() throws IOException {
        for (Disk.File file : files.values()) {
            file.close();
        }
    }
}
