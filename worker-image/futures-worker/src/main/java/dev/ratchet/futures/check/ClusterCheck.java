/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.Transaction;
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

/**
 * Reads everything that a cluster keeps of its futures and reports what contradicts an invariant. It runs beside the
 * living cluster and writes nothing. All pages are read at one version as long as the store keeps it; a scan that takes
 * longer goes on at a newer one. Nothing is reported that was not wrong at a single version: each row is judged with
 * all it must agree with in one transaction, and what spans tables (queue, counters) only where that proves it. One
 * check may be run once.
 */
public final class ClusterCheck {

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
                new HolderChecks.Garbage(keys),
                new HolderChecks.Idle(keys),
                new HolderChecks.Mail(keys),
                new EdgeChecks.Waits(keys),
                new EdgeChecks.Dependents(keys),
                new EdgeChecks.Unsettled(keys),
                new EdgeChecks.Children(keys),
                new ContentChecks.Upstreams(keys),
                new ContentChecks.Uses(keys),
                new IndexCheck(keys, FutureIndex.EXPIRING),
                new ContentChecks.Arguments(keys),
                new ContentChecks.Timers(keys),
                new IndexCheck(keys, FutureIndex.PARKED),
                new IndexCheck(keys, FutureIndex.BOUND),
                new BlockChecks.Results(keys),
                new IndexCheck(keys, FutureIndex.LISTED),
                new IndexCheck(keys, FutureIndex.RAN),
                new ListingChecks.Named(keys),
                new ActorChecks.Calls(keys),
                new ActorChecks.States(keys),
                new ActorChecks.Pieces(keys),
                new ItemChecks.Items(keys),
                new ItemChecks.Demands(keys),
                new LeaseChecks.Leases(keys.keyspace()),
                new LeaseChecks.Vouched(keys.keyspace()),
                new SessionChecks.Records(keys),
                new SessionChecks.Slots(keys),
                new SessionChecks.HostSlots(keys),
                new SessionChecks.Held(keys),
                new SessionChecks.Futures(keys),
                new CodeChecks.Functions(keys),
                new CodeChecks.FunctionPieces(keys),
                new CodeChecks.Uses(keys),
                new CodeChecks.Artifacts(keys),
                new CodeChecks.ArtifactPieces(keys))) {
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
        return page(page -> page.first(new Range(from, end), check.pageRows())
                        .thenCompose(rows -> CompletableFuture.allOf(rows.stream()
                                        .map(row -> judge(check, page, row))
                                        .toArray(CompletableFuture[]::new))
                                .thenApply(unused -> rows)))
                .thenCompose(read -> {
                    take(read.page(), read.rows());
                    boolean records = check instanceof RecordCheck;
                    futures += records ? read.rows().size() : 0;
                    CompletableFuture<Void> matched = unmatched.size() >= QueueCheck.UNMATCHED_MAX && records
                            ? matchQueue()
                            : CompletableFuture.completedFuture(null);
                    if (read.rows().size() < check.pageRows()) {
                        return matched;
                    }
                    byte[] last = read.rows().get(read.rows().size() - 1).getKey();
                    return matched.thenComposeAsync(
                            unused -> scan(check, ByteArrayUtil.join(last, new byte[1]), end),
                            store.environment().executor());
                });
    }

    /** What can not be read is wrong, too, and no reason to stop; that the store does not answer is. */
    private static CompletableFuture<Void> judge(TableCheck check, CheckPage page, KeyValue row) {
        return CompletableFuture.completedFuture(row)
                .thenCompose(judged -> check.judge(page, judged))
                .exceptionally(failure -> {
                    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
                    if (cause instanceof FDBException) {
                        throw new CompletionException(cause);
                    }
                    page.violation(check.table(), row.getKey(), "can not be read: " + cause);
                    return null;
                });
    }

    /** A page that was read to its end, with its rows. */
    private record Read(CheckPage page, List<KeyValue> rows) {}

    /** What reads a page and judges its rows. */
    private interface Reader {
        CompletableFuture<List<KeyValue>> read(CheckPage page);
    }

    private CompletableFuture<Read> page(Reader reader) {
        PinnedVersion.Use use = version.use();
        return store.runPlain((Transaction transaction) -> use.pin(transaction).thenCompose(unused -> {
            CheckPage page = new CheckPage(transaction.snapshot(), store.keys(), members);
            return reader.read(page).thenApply(rows -> new Read(page, rows));
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
        List<Map.Entry<FutureId, Long>> some =
                suspects.subList(from, Math.min(suspects.size(), from + TableCheck.PAGE_ROWS));
        return page(page -> CompletableFuture.allOf(some.stream()
                                .map(suspect -> stillQueued(page, suspect.getKey(), suspect.getValue()))
                                .toArray(CompletableFuture[]::new))
                        .thenApply(unused -> List.of()))
                .thenComposeAsync(
                        read -> {
                            read.page().violations().forEach(this::report);
                            return confirm(suspects, from + TableCheck.PAGE_ROWS);
                        },
                        store.environment().executor());
    }

    private CompletableFuture<Void> stillQueued(CheckPage page, FutureId id, long ticket) {
        FutureKeys keys = store.keys();
        return page.record(id)
                .thenAccept(record -> page.require(
                        record.isEmpty()
                                || !isInQueue(record.get().getState())
                                || record.get().getTicket() != ticket,
                        keys.records,
                        keys.records.key(id.value()),
                        "waits with ticket " + ticket + " and is in no queue"));
    }

    private static boolean isInQueue(State state) {
        return state == State.STATE_QUEUED || state == State.STATE_ASSIGNED;
    }
}
