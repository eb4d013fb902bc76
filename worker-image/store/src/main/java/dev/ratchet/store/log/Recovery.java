/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import dev.ratchet.store.engine.CommittedBatch;
import dev.ratchet.store.engine.StartingPoint;
import dev.ratchet.store.ordered.OrderedTree;
import dev.ratchet.store.ordered.TreeBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes the state of an engine out of the newest root or snapshot and the log after it. What a crash has torn off the
 * end of the log was acknowledged to nobody and is cut; anything else that is not as it was written is damage, and is
 * told. All of it is looked through for that before anything is changed: it is replayed in memory alone, and where the
 * changes need more of that than they may have, the rest of the log is looked through before the first page is written.
 */
final class Recovery {

    private static final Pattern LEFT_OVER =
            Pattern.compile("[0-9a-f]{6}-[0-9a-f]+\\.(log|snapshot|root|pages|part)|STATE\\.new");

    private final Disk disk;
    private final StoreState state;
    private final @Nullable Pages pages;
    private final Executor executor;
    private @Nullable RootFile root;
    /** Files that count no more, or do not yet. */
    private final List<String> leftOver = new ArrayList<>();

    /**
     * What was found.
     *
     * @param start to go on from, with a version above all that were handed out
     * @param logs names of the log files that are there
     * @param nextSequence number of the next log file
     * @param logBytes how much of the log is not in the snapshot
     * @param root on which the data rest; null when they do not
     */
    record Found(
            StartingPoint start,
            List<String> logs,
            long nextSequence,
            long logBytes,
            @Nullable RootFile root) {}

    private Recovery(Disk disk, StoreState state, @Nullable Pages pages, Executor executor) {
        this.disk = disk;
        this.state = state;
        this.pages = pages;
        this.executor = executor;
    }

    /**
     * Reads all that counts.
     *
     * @param pages where the data rest; null when they do not
     * @param executor may help to read; nobody waits for what it has not begun
     * @throws StoreDirectoryException if something is damaged
     */
    static Found recover(Disk disk, StoreState state, @Nullable Pages pages, Executor executor) throws IOException {
        return new Recovery(disk, state, pages, executor).run();
    }

    private Found run() throws IOException {
        List<String> bases = new ArrayList<>();
        List<String> logs = new ArrayList<>();
        for (String name : disk.list()) {
            if (state.owns(name) && name.endsWith(pages == null ? ".snapshot" : ".root")) {
                bases.add(name);
            } else if (state.owns(name) && name.endsWith(".log")) {
                logs.add(name);
            } else if (LEFT_OVER.matcher(name).matches()) {
                leftOver.add(name);
            }
        }
        if (bases.isEmpty() && (state.epoch() > 1 || (!logs.isEmpty() && StoreState.numberOf(logs.getFirst()) != 1))) {
            throw new StoreDirectoryException("What the log in " + disk.describe()
                    + " goes on from is missing. Nothing was changed; restore a backup");
        }
        checkNames(logs);
        Replay.Base base = new Replay.Base(
                OrderedTree.empty(StartingPoint::weigh), state.firstVersion(), state.firstVersion(), Map.of());
        if (!bases.isEmpty()) {
            base = readBase(bases.getLast());
            leftOver.addAll(bases.subList(0, bases.size() - 1));
        }
        try (LogReader log = new LogReader(disk, logs, executor)) {
            StartingPoint start = replay(log, new Replay(base, pages, executor));
            long next = logs.isEmpty() ? 1 : StoreState.numberOf(logs.getLast()) + 1;
            return new Found(start, logs, next, log.settleEnd(), root);
        }
    }

    private StartingPoint replay(LogReader log, Replay replay) throws IOException {
        boolean tidy = false;
        for (List<CommittedBatch> batches = log.next(); batches != null; batches = log.next()) {
            for (CommittedBatch batch : batches) {
                replay.add(batch);
            }
            replay.catchUp();
            if (replay.isLarge()) {
                if (!tidy) {
                    log.checkRest();
                    tidyUp();
                    tidy = true;
                }
                replay.writePages();
            }
        }
        StartingPoint start = replay.end();
        if (!tidy) {
            tidyUp();
        }
        return start;
    }

    private void checkNames(List<String> logs) {
        for (int i = 1; i < logs.size(); i++) {
            String expected = state.logName(StoreState.numberOf(logs.get(i - 1)) + 1);
            if (!logs.get(i).equals(expected)) {
                throw new StoreDirectoryException("The log in " + disk.describe() + " lacks the file " + expected
                        + ". Nothing was changed; restore a backup");
            }
        }
    }

    /** Deletes what is left of work that did not end: it is in the way of the pages that a replay may write. */
    private void tidyUp() throws IOException {
        if (root != null && pages != null) {
            pages.files().cutLast(root.lastFileBytes());
        }
        for (String name : leftOver) {
            disk.delete(name);
        }
    }

    private Replay.Base readBase(String name) throws IOException {
        return pages == null ? readSnapshot(name) : readRoot(name, pages);
    }

    private Replay.Base readSnapshot(String name) throws IOException {
        TreeBuilder<byte[]> builder = new TreeBuilder<>(StartingPoint::weigh);
        try (Disk.File file = disk.open(name)) {
            SnapshotFile.Header header = SnapshotFile.read(file, disk.describe() + "/" + name, builder::add);
            return new Replay.Base(builder.build(), header.version(), header.reservedVersion(), header.outcomes());
        }
    }

    private Replay.Base readRoot(String name, Pages resting) throws IOException {
        RootFile found = RootFile.read(disk, name);
        for (long number = found.firstFile(); number <= found.lastFile(); number++) {
            boolean last = number == found.lastFile();
            resting.files().open(number, last ? found.lastFileBytes() : 0);
            leftOver.remove(state.pagesName(number));
        }
        root = found;
        OrderedTree<byte[]> data = resting.trees().open(found.root());
        return new Replay.Base(data, found.version(), found.reservedVersion(), found.outcomes());
    }
}
