/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchFormat;
import dev.ratchet.circuits.batch.ByteSink;
import dev.ratchet.circuits.batch.HashRange;
import dev.ratchet.circuits.batch.StoredAt;
import dev.ratchet.circuits.trace.Fragment;
import dev.ratchet.circuits.type.ContentDigest;
import dev.ratchet.circuits.type.RowSchema;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The fragments of a version that was ended, on their way into files: those without a place go into one new file, in
 * the order of tables. A fragment learns its place when the manifest is safe, not before.
 */
final class FileCommit implements PendingCommit {

    private final FileOpenState state;
    private final Manifest below;
    private final StateRecord record;
    private final SortedMap<String, Table> tables;
    private final BatchFiles.Horizon horizon;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final IdentityHashMap<Fragment, Fragment.Stored> places = new IdentityHashMap<>();

    /** What a table consists of. */
    record Table(RowSchema schema, List<Fragment> fragments) {}

    FileCommit(
            FileOpenState state,
            Manifest below,
            StateRecord record,
            SortedMap<String, Table> tables,
            BatchFiles.Horizon horizon) {
        this.state = state;
        this.below = below;
        this.record = record;
        this.tables = tables;
        this.horizon = horizon;
    }

    @Override
    public long version() {
        return below.version() + 1;
    }

    @Override
    public void complete() {
        state.requireOpen();
        if (begun.getAndSet(true)) {
            throw new IllegalStateException("The commit of version " + version() + " was completed before");
        }
        Manifest stored = null;
        try {
            state.database().batches().compareSome(below.files());
            List<Fragment> fresh = new ArrayList<>();
            for (Table table : tables.values()) {
                table.fragments.removeIf(
                        fragment -> fragment.place() == null && fragment.rows().isEmpty());
                table.fragments.stream()
                        .filter(fragment -> fragment.place() == null)
                        .forEach(fresh::add);
            }
            if (!fresh.isEmpty()) {
                write(fresh);
            }
            Manifest manifest = manifest();
            manifest.files().keySet().forEach(state.database().batches()::sync);
            state.database().publish(manifest, horizon);
            places.forEach((fragment, place) -> fragment.store(place.at(), place.rows()));
            stored = manifest;
        } finally {
            state.finished(stored);
        }
    }

    private void write(List<Fragment> fresh) {
        BatchFiles batches = state.database().batches();
        long number = batches.begin();
        String name = Manifest.fileName(number);
        boolean complete = false;
        ContentDigest digest = new ContentDigest();
        try {
            StateFile file = batches.file(number);
            try (StateFiles.Output out = state.database().files().create(name)) {
                ByteSink digested = (bytes, offset, length) -> {
                    digest.update(bytes, offset, length);
                    out.append(bytes, offset, length);
                };
                long position = 0;
                for (Fragment fragment : fresh) {
                    Batch rows = fragment.rows();
                    long length = BatchFormat.write(rows, batches.formatLevel(), digested);
                    StoredAt at = new StoredAt(file, position, length);
                    places.put(fragment, new Fragment.Stored(at, rows.rowCount(), HashRange.ALL));
                    state.database().counters().rows(length, fragment.isRewritten());
                    position += length;
                }
            }
            state.database().files().sync(name);
            complete = true;
        } finally {
            if (complete) {
                batches.endSynced(number, digest.value());
            } else {
                batches.forget(number);
            }
        }
    }

    private Manifest manifest() {
        SortedMap<Long, Manifest.StoredFile> files = new TreeMap<>();
        SortedMap<String, Manifest.Table> content = new TreeMap<>();
        tables.forEach((name, table) -> {
            List<Manifest.Entry> entries = new ArrayList<>();
            for (Fragment fragment : table.fragments) {
                Fragment.Stored place = place(fragment);
                long number = ((StateFile) place.at().file()).number();
                files.computeIfAbsent(number, this::stored);
                entries.add(new Manifest.Entry(
                        number, place.at().position(), place.at().length(), place.rows(), place.range()));
            }
            content.put(name, new Manifest.Table(table.schema, entries));
        });
        return new Manifest(version(), record, state.database().origin(), content, files);
    }

    private Fragment.Stored place(Fragment fragment) {
        Fragment.@Nullable Stored written = places.get(fragment);
        Fragment.@Nullable Stored known = written == null ? fragment.place() : written;
        if (known == null) {
            throw new IllegalStateException("A fragment of version " + version() + " was not written");
        }
        return known;
    }

    private Manifest.StoredFile stored(long number) {
        Manifest.StoredFile known = below.files().get(number);
        if (known != null && known.digest().isPresent()) {
            return known;
        }
        StateFiles all = state.database().files();
        long length = known == null ? all.length(Manifest.fileName(number)) : known.length();
        return new Manifest.StoredFile(length, state.database().batches().digest(number));
    }
}
