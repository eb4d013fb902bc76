/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.record.FutureIndex;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Members;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Reads everything that a cluster keeps of its futures and reports what contradicts an invariant. It runs beside the
 * living cluster and writes nothing. All pages are read at one version as long as the store keeps it; a scan that takes
 * longer goes on at a newer one. Nothing is reported that was not wrong at a single version: each row is judged with
 * all it must agree with in one transaction, and what spans tables (queue, counters) only where that proves it. One
 * check may be run once.
 */
public final class ClusterCheck {

    /** Rows of one page, at most: it is read in one transaction, which has five seconds. */
    private static final int PAGE_ROWS = 250;

    /** A page judges no further rows once it has read as much, with all that its rows are held against. */
    private static final long PAGE_BYTES = 500_000;

    /** Rows that a page judges first, to learn how much is read with each. */
    private static final int FIRST_ROWS = 4;

    private final FutureStore store;
    private final Members members;
    private final PinnedVersion version = new PinnedVersion();
    private final Map<FutureId, Long> unmatched = new ConcurrentHashMap<>();
    private final JobCounters counters;
    private final List<Violation> violations = new ArrayList<>();
    private long violationCount;
    private long keysJudged;
    private long futures;

    public ClusterCheck(FutureStore store, Members members) {
        this.store = store;
        this.members = members;
        this.counters = new JobCounters(store, version);
    }

    /** Checks everything. Fails only where the store can not be read. */
    public CompletableFuture<CheckReport> run() {
        FutureKeys keys = store.keys();
        CompletableFuture<Void> checked = counters.read()
                .thenCompose(unused -> scan(new RecordCheck(keys)))
                .thenCompose(unused -> matchQueue());
        for (TableCheck check : List.of(
                new IndexCheck(keys, FutureIndex.CLAIMED),
                new IndexCheck(keys, FutureIndex.HELD),
                HolderChecks.garbage(keys),
                HolderChecks.idle(keys),
                HolderChecks.mail(keys),
                EdgeChecks.waits(keys),
                EdgeChecks.dependents(keys),
                EdgeChecks.unsettled(keys),
                EdgeChecks.children(keys),
                ContentChecks.upstreams(keys),
                ContentChecks.uses(keys),
                new IndexCheck(keys, FutureIndex.EXPIRING),
                ContentChecks.arguments(keys),
                ContentChecks.timers(keys),
                new IndexCheck(keys, FutureIndex.PARKED),
                new IndexCheck(keys, FutureIndex.BOUND),
                BlockChecks.results(keys),
                new IndexCheck(keys, FutureIndex.LISTED),
                new IndexCheck(keys, FutureIndex.RAN),
                ListingChecks.named(keys),
                ActorChecks.calls(keys),
                ActorChecks.states(keys),
                ActorChecks.pieces(keys),
                ItemChecks.items(keys),
                ItemChecks.demands(keys),
                LeaseChecks.leases(keys.keyspace()),
                LeaseChecks.vouched(keys.keyspace()),
                SessionChecks.records(keys),
                SessionChecks.slots(keys),
                SessionChecks.hostSlots(keys),
                SessionChecks.held(keys),
                SessionChecks.futures(keys),
                CodeChecks.functions(keys),
                CodeChecks.functionPieces(keys),
                CodeChecks.uses(keys),
                CodeChecks.artifacts(keys),
                CodeChecks.artifactPieces(keys))) {
            checked = checked.thenCompose(unused -> scan(check));
        }
        return checked.thenCompose(unused -> counters.judge(this::report))
                .thenApply(notes ->
                        new CheckReport(keysJudged, futures, version.count(), violations, violationCount, notes));
    }

    private CompletableFuture<Void> scan(TableCheck check) {
        Range all = check.table().range();
        return scan(check, all.begin, all.end);
    }

    private CompletableFuture<Void> scan(TableCheck check, byte[] from, byte[] end) {
        return page(page -> page.first(new Range(from, end), PAGE_ROWS, PAGE_BYTES)
                        .thenCompose(rows -> judge(page, rows, row -> judge(check, page, row))
                                .thenApply(judged -> rows.subList(0, judged))))
                .thenCompose(read -> {
                    take(read.page(), read.rows());
                    boolean records = check instanceof RecordCheck;
                    futures += records ? read.rows().size() : 0;
                    CompletableFuture<Void> matched = unmatched.size() >= QueueCheck.UNMATCHED_MAX && records
                            ? matchQueue()
                            : CompletableFuture.completedFuture(null);
                    if (read.rows().isEmpty()) {
                        return matched;
                    }
                    byte[] last = read.rows().get(read.rows().size() - 1).getKey();
                    return matched.thenComposeAsync(
                            unused -> scan(check, ByteArrayUtil.join(last, new byte[1]), end),
                            store.environment().executor());
                });
    }

    /**
     * Judges rows from the first on, until the page has read enough; how many. As many are judged at once as seem to
     * fit, by what those before them have read.
     */
    private static <T> CompletableFuture<Integer> judge(
            CheckPage page, List<T> rows, Function<T, CompletableFuture<Void>> judge) {
        return judge(page, rows, judge, 0, FIRST_ROWS);
    }

    private static <T> CompletableFuture<Integer> judge(
            CheckPage page, List<T> rows, Function<T, CompletableFuture<Void>> judge, int from, int atOnce) {
        if (from == rows.size() || (from > 0 && page.bytesRead() >= PAGE_BYTES)) {
            return CompletableFuture.completedFuture(from);
        }
        int to = Math.min(rows.size(), from + atOnce);
        long before = page.bytesRead();
        return AsyncUtil.whenAll(rows.subList(from, to).stream().map(judge).toList())
                .thenCompose(unused -> {
                    long perRow = 1 + (page.bytesRead() - before) / (to - from);
                    long fitting = (PAGE_BYTES - page.bytesRead()) / perRow;
                    return judge(page, rows, judge, to, (int) Math.max(1, Math.min(fitting, 2L * atOnce)));
                });
    }

    /** What can not be read is wrong, too, and no reason to stop; that the store does not answer is. */
    private static CompletableFuture<Void> judge(TableCheck check, CheckPage page, KeyValue stored) {
        CheckedRow row = new CheckedRow(page, check.table(), stored);
        return CompletableFuture.completedFuture(row)
                .thenCompose(judged -> check.judge(page, judged))
                .exceptionally(failure -> {
                    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
                    if (cause instanceof FDBException) {
                        throw new CompletionException(cause);
                    }
                    row.violation("can not be read: " + cause);
                    return null;
                });
    }

    /** A page that was read to its end, with its rows. */
    private record Read<T>(CheckPage page, List<T> rows) {}

    /** What reads a page and judges its rows; it returns those that it has judged. */
    private interface Reader<T> {
        CompletableFuture<List<T>> read(CheckPage page);
    }

    private <T> CompletableFuture<Read<T>> page(Reader<T> reader) {
        PinnedVersion.Use use = version.use();
        return store.runPlain((Transaction transaction) -> use.pin(transaction).thenCompose(unused -> {
            CheckPage page = new CheckPage(transaction.snapshot(), store.keys(), members);
            return reader.read(page).thenApply(rows -> new Read<>(page, rows));
        }));
    }

    private void take(CheckPage page, List<KeyValue> rows) {
        keysJudged += rows.size();
        page.violations().forEach(this::report);
        unmatched.putAll(page.queued());
        counters.count(page.counts());
    }

    private void report(Violation violation) {
        violationCount++;
        if (violations.size() < CheckReport.VIOLATIONS_MAX) {
            violations.add(violation);
        }
    }

    private CompletableFuture<Void> matchQueue() {
        FutureKeys keys = store.keys();
        CompletableFuture<Void> scanned = scan(new QueueCheck(keys.queue, false, unmatched))
                .thenCompose(unused -> scan(new QueueCheck(keys.assignments, true, unmatched)));
        return scanned.thenCompose(unused -> {
            Map<FutureId, Long> left = new LinkedHashMap<>(unmatched);
            unmatched.clear();
            return confirm(new ArrayList<>(left.entrySet()), 0);
        });
    }

    /** Those that still are as they were before the queue was read were not in it. */
    private CompletableFuture<Void> confirm(List<Map.Entry<FutureId, Long>> suspects, int from) {
        if (from >= suspects.size()) {
            return CompletableFuture.completedFuture(null);
        }
        List<Map.Entry<FutureId, Long>> some = suspects.subList(from, Math.min(suspects.size(), from + PAGE_ROWS));
        return page(page -> judge(page, some, suspect -> stillQueued(page, suspect.getKey(), suspect.getValue()))
                        .thenApply(judged -> some.subList(0, judged)))
                .thenComposeAsync(
                        read -> {
                            read.page().violations().forEach(this::report);
                            return confirm(suspects, from + read.rows().size());
                        },
                        store.environment().executor());
    }

    private CompletableFuture<Void> stillQueued(CheckPage page, FutureId id, long ticket) {
        FutureKeys keys = store.keys();
        return page.record(id).thenAccept(record -> {
            boolean waits = record.filter(future -> isInQueue(future.getState()) && future.getTicket() == ticket)
                    .isPresent();
            if (waits) {
                byte[] key = keys.records.key(id.value());
                page.violation(keys.records, key, "waits with ticket " + ticket + " and is in no queue");
            }
        });
    }

    private static boolean isInQueue(State state) {
        return state == State.STATE_QUEUED || state == State.STATE_ASSIGNED;
    }
}
