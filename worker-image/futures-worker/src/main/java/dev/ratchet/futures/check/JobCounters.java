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
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The counters of jobs by state and by tenant against the records that they count. Exact where counters and records
 * were read at one version; a job that does not agree and was read at several is counted again by itself, and is told
 * as a note where even that takes longer than a version lives. Used by one thread at a time.
 */
final class JobCounters {

    private static final int PAGE_ROWS = 1_000;

    /** Futures of one job whose records are read at once. */
    private static final int PAGE_FUTURES = 200;

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
                        use.pin(transaction).thenCompose(unused -> rows(transaction.snapshot(), from, end, PAGE_ROWS)))
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
        return recount(job, RECOUNT_TRIES)
                .handle((recount, failure) -> {
                    if (failure == null && recount.isExact()) {
                        compare(job, recount.said, recount.found, report);
                    } else {
                        notes.add("the counters of job '" + job + "' were not compared: "
                                + (failure == null
                                        ? "it has more futures than can be read at one version"
                                        : failure.getMessage()));
                    }
                    return null;
                })
                .thenComposeAsync(
                        unused -> recount(jobs, at + 1, report),
                        store.environment().executor());
    }

    private CompletableFuture<Recount> recount(String job, int tries) {
        Recount recount = new Recount();
        Range counters = keys.counts.range(job);
        return recount.page(transaction -> rows(transaction, counters.begin, counters.end, PAGE_ROWS))
                .thenCompose(rows -> {
                    rows.forEach(row -> add(recount.said, row));
                    return countMembers(recount, members(job, recount.said), 0);
                })
                .thenCompose(unused -> recount.isExact() || tries == 1
                        ? CompletableFuture.completedFuture(recount)
                        : recount(job, tries - 1));
    }

    /** One look at the counters and the futures of a job, a page at a time, at one version as long as that lives. */
    private final class Recount {

        private final PinnedVersion at = new PinnedVersion();
        private final Map<Tuple, Long> said = new HashMap<>();
        private final Map<Tuple, Long> found = new HashMap<>();

        boolean isExact() {
            return at.count() <= 1;
        }

        <T> CompletableFuture<T> page(Function<ReadTransaction, CompletableFuture<T>> read) {
            PinnedVersion.Use use = at.use();
            return store.runPlain(
                    transaction -> use.pin(transaction).thenCompose(unused -> read.apply(transaction.snapshot())));
        }
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

    private CompletableFuture<Void> countMembers(Recount recount, List<Range> ranges, int at) {
        return at == ranges.size()
                ? CompletableFuture.completedFuture(null)
                : countMembers(recount, ranges.get(at).begin, ranges.get(at).end)
                        .thenCompose(unused -> countMembers(recount, ranges, at + 1));
    }

    /** Stops where the version has changed: what is counted then says nothing. */
    private CompletableFuture<Void> countMembers(Recount recount, byte[] from, byte[] end) {
        return recount.page(transaction -> rows(transaction, from, end, PAGE_FUTURES)
                        .thenCompose(
                                rows -> records(transaction, rows).thenApply(records -> new Members(rows, records))))
                .thenComposeAsync(
                        page -> {
                            page.records().forEach(record -> of(record)
                                    .forEach(counter -> recount.found.merge(
                                            counter, (long) BlockFutures.count(record), Long::sum)));
                            return page.rows().size() < PAGE_FUTURES || !recount.isExact()
                                    ? CompletableFuture.completedFuture(null)
                                    : countMembers(recount, after(page.rows()), end);
                        },
                        store.environment().executor());
    }

    private record Members(List<KeyValue> rows, List<FutureRecord> records) {}

    private CompletableFuture<List<FutureRecord>> records(ReadTransaction transaction, List<KeyValue> listed) {
        List<CompletableFuture<Optional<FutureRecord>>> reads = listed.stream()
                .map(row -> new FutureId(keys.listed.elements(row.getKey()).getUUID(4)))
                .map(id -> keys.record(transaction, id))
                .toList();
        return AsyncUtil.whenAll(reads)
                .thenApply(unused ->
                        reads.stream().flatMap(read -> read.join().stream()).toList());
    }

    private static CompletableFuture<List<KeyValue>> rows(
            ReadTransaction transaction, byte[] from, byte[] end, int most) {
        return transaction
                .getRange(
                        KeySelector.firstGreaterOrEqual(from),
                        KeySelector.firstGreaterOrEqual(end),
                        most,
                        false,
                        StreamingMode.WANT_ALL)
                .asList();
    }

    private static byte[] after(List<KeyValue> rows) {
        return ByteArrayUtil.join(rows.get(rows.size() - 1).getKey(), new byte[1]);
    }
}
