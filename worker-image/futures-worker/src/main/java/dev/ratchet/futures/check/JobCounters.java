/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.record.FutureIndex;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The counters of jobs by state and by tenant against the records that they count. Exact where counters and records
 * were read at one version; a job that does not agree and was read at several is counted again by itself, and is told
 * as a note where even that takes longer than a version lives. Used by one thread at a time.
 */
final class JobCounters {

    private static final int PAGE_ROWS = 1_000;

    /** Jobs counted again, at most. */
    private static final int RECOUNTS_MAX = 1_000;

    private static final int RECOUNT_TRIES = 3;

    private static final String STATE = "state";
    private static final String TENANT = "tenant";

    private final FutureStore store;
    private final FutureKeys keys;
    private final PinnedVersion version;
    private final Map<Tuple, Long> recorded = new HashMap<>();
    private final Map<Tuple, Long> counted = new HashMap<>();
    private final List<String> notes = new ArrayList<>();

    JobCounters(FutureStore store, PinnedVersion version) {
        this.store = store;
        this.keys = store.keys();
        this.version = version;
    }

    /** The counters that count a future: job, what, which. */
    static List<Tuple> of(FutureRecord record) {
        return List.of(
                Tuple.from(record.getJob(), STATE, (long) record.getState().getNumber()),
                Tuple.from(record.getJob(), TENANT, SchedulingSpecs.tenant(record)));
    }

    /** Reads the counters. */
    CompletableFuture<Void> read() {
        Range all = keys.counts.range();
        return readFrom(all.begin, all.end);
    }

    /** Adds what a page of records has counted. */
    void count(Map<Tuple, Long> some) {
        some.forEach((key, count) -> counted.merge(key, count, Long::sum));
    }

    /** Compares; what could not be judged. */
    CompletableFuture<List<String>> judge(Consumer<Violation> report) {
        Set<String> differing = new TreeSet<>();
        for (Map<Tuple, Long> side : List.of(recorded, counted)) {
            side.keySet().stream()
                    .filter(key -> !recorded.getOrDefault(key, 0L).equals(counted.getOrDefault(key, 0L)))
                    .forEach(key -> differing.add(key.getString(0)));
        }
        if (version.count() == 1) {
            differing.forEach(job -> compare(job, recorded, counted, report));
            return CompletableFuture.completedFuture(notes);
        }
        List<String> jobs = new ArrayList<>(differing);
        if (jobs.size() > RECOUNTS_MAX) {
            notes.add("counters of " + (jobs.size() - RECOUNTS_MAX) + " jobs were not compared: they change too fast");
        }
        return recount(jobs.subList(0, Math.min(jobs.size(), RECOUNTS_MAX)), 0, report);
    }

    private CompletableFuture<Void> readFrom(byte[] from, byte[] end) {
        PinnedVersion.Use use = version.use();
        return store.runPlain(transaction ->
                        use.pin(transaction).thenCompose(unused -> rows(transaction.snapshot(), from, end)))
                .thenComposeAsync(
                        rows -> {
                            rows.forEach(row -> add(recorded, row));
                            return rows.size() < PAGE_ROWS
                                    ? CompletableFuture.completedFuture(null)
                                    : readFrom(after(rows), end);
                        },
                        store.environment().executor());
    }

    private void add(Map<Tuple, Long> counters, KeyValue row) {
        Tuple key;
        long value;
        try {
            key = keys.counts.elements(row.getKey());
            value = keys.counts.decode(row.getValue());
        } catch (RuntimeException damaged) {
            notes.add("a counter can not be read: " + CheckPage.path(keys.counts, row.getKey()) + ": " + damaged);
            return;
        }
        if (value != 0 && (key.getString(1).equals(STATE) || key.getString(1).equals(TENANT))) {
            counters.put(key, value);
        }
    }

    private void compare(String job, Map<Tuple, Long> said, Map<Tuple, Long> found, Consumer<Violation> report) {
        Set<Tuple> all = new TreeSet<>(said.keySet());
        all.addAll(found.keySet());
        for (Tuple key : all) {
            long counter = said.getOrDefault(key, 0L);
            long futures = found.getOrDefault(key, 0L);
            if (key.getString(0).equals(job) && counter != futures) {
                report.accept(new Violation(
                        CheckPage.path(keys.counts, keys.counts.subspace().pack(key)),
                        "counts " + counter + " futures that are " + which(key) + ", and there are " + futures));
            }
        }
    }

    private static String which(Tuple counter) {
        State state = counter.getString(1).equals(STATE)
                ? State.forNumber(Math.toIntExact(counter.getLong(2)))
                : State.UNRECOGNIZED;
        return state == null || state == State.UNRECOGNIZED ? "of " + counter.get(2) : Lifecycle.word(state);
    }

    private CompletableFuture<List<String>> recount(List<String> jobs, int at, Consumer<Violation> report) {
        if (at >= jobs.size()) {
            return CompletableFuture.completedFuture(notes);
        }
        String job = jobs.get(at);
        Map<Tuple, Long> said = new HashMap<>();
        Map<Tuple, Long> found = new HashMap<>();
        Range counters = keys.counts.range(job);
        int[] tries = {0};
        return store.read(transaction -> {
                    if (++tries[0] > RECOUNT_TRIES) {
                        throw new IllegalStateException("it has more futures than can be read at one version");
                    }
                    said.clear();
                    found.clear();
                    return rows(transaction, counters.begin, counters.end).thenCompose(rows -> {
                        rows.forEach(row -> add(said, row));
                        return countMembers(transaction, members(job, said), 0, found);
                    });
                })
                .handle((unused, failure) -> {
                    if (failure == null) {
                        compare(job, said, found, report);
                    } else {
                        notes.add("the counters of job '" + job + "' were not compared: " + failure.getMessage());
                    }
                    return null;
                })
                .thenComposeAsync(
                        unused -> recount(jobs, at + 1, report),
                        store.environment().executor());
    }

    /** Where the futures of a job are listed, for those of its tenants that anything speaks of. */
    private List<Range> members(String job, Map<Tuple, Long> said) {
        Set<String> tenants = new TreeSet<>();
        for (Map<Tuple, Long> source : List.of(said, recorded, counted)) {
            source.keySet().stream()
                    .filter(key ->
                            key.getString(0).equals(job) && key.getString(1).equals(TENANT))
                    .forEach(key -> tenants.add(key.getString(2)));
        }
        List<Range> ranges = new ArrayList<>();
        for (String tenant : tenants) {
            FutureIndex.PHASES.forEach(phase -> ranges.add(keys.listed.range((long) phase.getNumber(), tenant, job)));
        }
        return ranges;
    }

    private CompletableFuture<Void> countMembers(
            ReadTransaction transaction, List<Range> ranges, int at, Map<Tuple, Long> found) {
        return at == ranges.size()
                ? CompletableFuture.completedFuture(null)
                : countMembers(transaction, ranges.get(at).begin, ranges.get(at).end, found)
                        .thenCompose(unused -> countMembers(transaction, ranges, at + 1, found));
    }

    private CompletableFuture<Void> countMembers(
            ReadTransaction transaction, byte[] from, byte[] end, Map<Tuple, Long> found) {
        return rows(transaction, from, end).thenCompose(rows -> {
            List<CompletableFuture<Void>> reads = new ArrayList<>();
            for (KeyValue row : rows) {
                FutureId id = new FutureId(keys.listed.elements(row.getKey()).getUUID(4));
                reads.add(keys.record(transaction, id).thenAccept(record -> {
                    synchronized (found) {
                        record.ifPresent(counting -> of(counting)
                                .forEach(counter ->
                                        found.merge(counter, (long) BlockFutures.count(counting), Long::sum)));
                    }
                }));
            }
            return AsyncUtil.whenAll(reads)
                    .thenCompose(unused -> rows.size() < PAGE_ROWS
                            ? CompletableFuture.completedFuture(null)
                            : countMembers(transaction, after(rows), end, found));
        });
    }

    private static CompletableFuture<List<KeyValue>> rows(ReadTransaction transaction, byte[] from, byte[] end) {
        return transaction
                .getRange(
                        KeySelector.firstGreaterOrEqual(from),
                        KeySelector.firstGreaterOrEqual(end),
                        PAGE_ROWS,
                        false,
                        StreamingMode.WANT_ALL)
                .asList();
    }

    private static byte[] after(List<KeyValue> rows) {
        return ByteArrayUtil.join(rows.get(rows.size() - 1).getKey(), new byte[1]);
    }
}
