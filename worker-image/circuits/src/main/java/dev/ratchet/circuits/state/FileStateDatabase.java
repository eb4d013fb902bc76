/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import dev.ratchet.circuits.batch.BlockCache;
import dev.ratchet.circuits.trace.TraceSettings;
import dev.ratchet.circuits.type.FormatNumbers;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The state database in a directory: files with immutable batches, shared by versions, and a manifest for each version.
 * A commit writes the rows that came in since the last one, makes them and their names safe, and renames a manifest
 * into place: that rename is the commit. Nothing that a committed version refers to is ever written again.
 *
 * <pre>
 * manifest-7  manifest-8     the two versions, or as many as are retained
 * batch-12  batch-15  …      batches; what no version refers to is left from a crash and deleted on opening
 * </pre>
 */
public final class FileStateDatabase implements StateDatabase {

    /** Bytes of blocks read from files that stay in memory, for all threads together. */
    public static final long CACHE_BYTES_DEFAULT = 256L << 20;

    /** A version that is being made needs the one before it. */
    private static final int RETAINED_MIN = 2;

    private static final String PREFIX = "manifest-";
    private static final String UNFINISHED = ".part";

    private final StateFiles files;
    private final BatchFiles batches;
    private final TraceSettings traces;
    private final StateCounters counters = new StateCounters();
    private long origin = new SecureRandom().nextLong();
    /** Of the versions that are kept beside the open state: the numbers of their files. */
    private final NavigableMap<Long, Set<Long>> kept = new TreeMap<>();

    private int retained = RETAINED_MIN;
    private StateVersions versions;
    private @Nullable FileOpenState state;

    private FileStateDatabase(StateFiles files, long cacheBytes, long spillBytes, IntSupplier level) {
        this.files = files;
        this.batches = new BatchFiles(files, new BlockCache(cacheBytes), level);
        this.traces = new TraceSettings(batches, spillBytes);
        this.versions = findVersions();
    }

    /** The database in a directory, made if need be, with the usual cache and sizes; one release alone opens it. */
    public static FileStateDatabase in(Path directory) {
        return on(DirectoryFiles.in(directory), () -> FormatNumbers.ANY_LEVEL);
    }

    /**
     * The database on some files that the release before may open again, with the usual cache and sizes.
     *
     * @param level of recorded formats, in which files are written that are begun now; asked by any thread
     */
    public static FileStateDatabase on(StateFiles files, IntSupplier level) {
        return on(files, CACHE_BYTES_DEFAULT, TraceSettings.SPILL_BYTES_DEFAULT, level);
    }

    /**
     * The database on some files, which one release alone opens.
     *
     * @param cacheBytes of blocks read that stay in memory
     * @param spillBytes from which on a batch of a trace lies in a file
     * @throws CorruptStateException where the files are not those of a database
     */
    public static FileStateDatabase on(StateFiles files, long cacheBytes, long spillBytes) {
        return on(files, cacheBytes, spillBytes, () -> FormatNumbers.ANY_LEVEL);
    }

    private static FileStateDatabase on(StateFiles files, long cacheBytes, long spillBytes, IntSupplier level) {
        try {
            return new FileStateDatabase(files, cacheBytes, spillBytes, level);
        } catch (RuntimeException e) {
            files.close();
            throw e;
        }
    }

    private StateVersions findVersions() {
        TreeSet<Long> found = new TreeSet<>();
        Set<String> strange = new HashSet<>();
        for (String name : files.list()) {
            if (name.matches(PREFIX + "[0-9]{1,18}")) {
                found.add(Long.parseLong(name.substring(PREFIX.length())));
            } else if (!BatchFiles.isOne(name) && !name.endsWith(UNFINISHED)) {
                strange.add(name);
            }
        }
        if (found.isEmpty()) {
            if (!strange.isEmpty()) {
                throw new CorruptStateException("The directory " + files.place() + " holds other files ("
                        + strange.iterator().next() + ") and no state; name an empty directory or a new one");
            }
            write(Manifest.empty(origin));
            return new StateVersions(0, 0);
        }
        // One more is there where a process died after a commit and before it deleted the oldest.
        long last = found.last();
        long first = last;
        while (found.contains(first - 1) && last - first + 1 < retained) {
            first--;
        }
        return new StateVersions(first, last);
    }

    /**
     * How many versions are kept after each commit from now on, at least two: all but the newest can be opened in its
     * place. Opening one makes room for the next. Can be called at any time, also beside a commit.
     */
    public synchronized void retain(int count) {
        int wanted = Math.max(RETAINED_MIN, count);
        if (wanted != retained) {
            retained = wanted;
            if (state == null) {
                versions = findVersions();
            }
        }
    }

    @Override
    public synchronized StateVersions versions() {
        return versions;
    }

    @Override
    public synchronized OpenState open(long version) {
        if (!versions.contains(version)) {
            throw new IllegalArgumentException("The state in " + files.place() + " has versions " + versions.first()
                    + " to " + versions.last() + ", not " + version);
        }
        Manifest manifest = read(version);
        // One of format 1 has none, and gets the new one with the next commit.
        origin = manifest.origin() == 0 ? origin : manifest.origin();
        close(state);
        kept.clear();
        kept.put(version, Set.copyOf(manifest.files().keySet()));
        keepOlder(version);
        for (String name : files.list()) {
            if (name.endsWith(UNFINISHED) || (name.startsWith(PREFIX) && !isKept(name))) {
                files.delete(name);
            }
        }
        files.syncNames();
        batches.sweep(batches.horizon(), used());
        versions = new StateVersions(kept.firstKey(), version);
        FileOpenState opened = new FileOpenState(this, manifest);
        state = opened;
        return opened;
    }

    /** Those before a version that can still be opened, but one that the next commit takes the place of. */
    private void keepOlder(long version) {
        long oldest = Math.max(versions.first(), version - retained + 2);
        for (long older = version - 1; older >= oldest; older--) {
            try {
                kept.put(older, Set.copyOf(read(older).files().keySet()));
            } catch (CorruptStateException | UncheckedIOException damaged) {
                return;
            }
        }
    }

    private boolean isKept(String name) {
        return kept.keySet().stream().map(Manifest::name).anyMatch(name::equals);
    }

    private Set<Long> used() {
        Set<Long> used = new HashSet<>();
        kept.values().forEach(used::addAll);
        return used;
    }

    /**
     * What a version says of itself, after a look at whether all its files are there. Opens and discards nothing.
     *
     * @throws CorruptStateException where the version could not be opened
     */
    public synchronized StateRecord verify(long version) {
        return read(version).record();
    }

    @Override
    public synchronized void close() {
        close(state);
        files.close();
    }

    private static void close(@Nullable FileOpenState open) {
        if (open != null) {
            open.end();
        }
    }

    /** Names this database among all. */
    long origin() {
        return origin;
    }

    BatchFiles batches() {
        return batches;
    }

    StateFiles files() {
        return files;
    }

    TraceSettings traces() {
        return traces;
    }

    StateCounters counters() {
        return counters;
    }

    /** Makes a manifest the newest version, and lets go of those that are not retained. */
    synchronized void publish(Manifest manifest, BatchFiles.Horizon horizon) {
        write(manifest);
        kept.put(manifest.version(), Set.copyOf(manifest.files().keySet()));
        NavigableMap<Long, Set<Long>> gone = kept.headMap(manifest.version() - retained, true);
        gone.keySet().forEach(version -> files.delete(Manifest.name(version)));
        gone.clear();
        versions = new StateVersions(kept.firstKey(), manifest.version());
        batches.sweep(horizon, used());
    }

    private void write(Manifest manifest) {
        byte[] bytes = ManifestCodec.encode(manifest, batches.formatLevel());
        String name = Manifest.name(manifest.version());
        try (StateFiles.Output out = files.create(name + UNFINISHED)) {
            out.append(bytes, 0, bytes.length);
        }
        files.sync(name + UNFINISHED);
        // Else the manifest could survive a crash that its batches do not.
        files.syncNames();
        files.rename(name + UNFINISHED, name);
        files.syncNames();
        counters.manifest(bytes.length);
    }

    private Manifest read(long version) {
        String name = Manifest.name(version);
        byte[] bytes = new byte[Math.toIntExact(files.length(name))];
        files.open(name).read(0, bytes);
        Manifest manifest = ManifestCodec.decode(bytes, files.place() + "/" + name);
        Set<String> present = Set.copyOf(files.list());
        manifest.files().forEach((number, stored) -> {
            String file = Manifest.fileName(number);
            String damage = batches.damage(number);
            if (damage != null) {
                throw new CorruptStateException(damage);
            }
            long length = stored.length();
            long found = present.contains(file) ? files.length(file) : -1;
            if (found != length) {
                throw new CorruptStateException(files.place() + "/" + file
                        + (found < 0 ? " is missing" : " has " + found + " bytes instead of " + length)
                        + "; version " + version
                        + " can not be opened: open another version, or take the state from another copy");
            }
        });
        return manifest;
    }
}
