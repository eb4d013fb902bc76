/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import dev.ratchet.bench.cluster.Cluster;
import dev.ratchet.bench.load.Promise.Ending;
import dev.ratchet.bench.load.Promise.Kind;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.JobSummary;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.RatchetException;
import dev.ratchet.futures.check.CheckReport;
import dev.ratchet.futures.check.ClusterCheck;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.store.keyspace.Table;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Looks at a cluster that has come to rest: every promise, every effect in the store, every invariant. */
final class Verdict {

    private static final int PAGE = 2_000;
    private static final int ROWS = 1_000;

    /** So long an outcome is waited for even when the time for all is over: it may have to be fetched. */
    private static final Duration FETCH_MIN = Duration.ofSeconds(2);

    /** After so many without an outcome no other is waited for. */
    private static final int UNKNOWN_MAX = 20;

    private final Cluster cluster;
    private final Ratchet ratchet;
    private final PromiseLedger ledger;
    private final long deadline;
    private final Map<FutureId, Ending> endings = new HashMap<>();
    private int unknown;

    /** @param patience how long all outcomes together are waited for, however many there are not */
    Verdict(Cluster cluster, Ratchet ratchet, PromiseLedger ledger, Duration patience) {
        this.cluster = cluster;
        this.ratchet = ratchet;
        this.ledger = ledger;
        this.deadline = System.nanoTime() + patience.toNanos();
    }

    private Duration left() {
        Duration left = Duration.ofNanos(deadline - System.nanoTime());
        return left.compareTo(FETCH_MIN) > 0 ? left : FETCH_MIN;
    }

    /** Waits until nothing of these jobs is under way, which also ends what nobody got an acknowledgement for. */
    void awaitRest(List<String> jobs) throws InterruptedException {
        for (String job : jobs) {
            JobSummary summary = ratchet.summary(job);
            while (underWay(summary) > 0) {
                if (System.nanoTime() - deadline >= 0) {
                    ledger.complain("job " + job + " has not come to rest: " + new TreeMap<>(summary.states()));
                    return;
                }
                Thread.sleep(200);
                summary = ratchet.summary(job);
            }
        }
    }

    /** A deleted future is counted as long as something that was computed from it is there. */
    private static long underWay(JobSummary summary) {
        return summary.total()
                - summary.count(FutureState.REALIZED)
                - summary.count(FutureState.FAILED)
                - summary.count(FutureState.CANCELLED)
                - summary.count(FutureState.LOST)
                - summary.count(FutureState.DELETED);
    }

    /** Awaits every promise and judges it. */
    void judgePromises() throws InterruptedException {
        List<Promise> promises = ledger.promises();
        for (int from = 0; from < promises.size(); from += PAGE) {
            List<Promise> page = promises.subList(from, Math.min(promises.size(), from + PAGE));
            List<DurableFuture<Object>> futures = page.stream()
                    .map(promise -> ratchet.<Object>future(promise.id()))
                    .toList();
            ratchet.await(futures, futures.size(), left());
            for (int i = 0; i < page.size(); i++) {
                judge(page.get(i), futures.get(i));
                if (unknown > UNKNOWN_MAX) {
                    ledger.complain("more than " + UNKNOWN_MAX + " promises have no outcome; no other was looked at");
                    return;
                }
            }
        }
        judgeActors(promises);
    }

    private void judge(Promise promise, DurableFuture<Object> future) throws InterruptedException {
        Object value = null;
        RatchetException failure = null;
        try {
            value = future.get(left());
        } catch (RatchetException none) {
            failure = none;
        }
        Ending ending = Promise.ending(failure);
        endings.put(promise.id(), ending);
        String complaint = promise.complaint(value, failure);
        if (complaint != null) {
            ledger.complain(complaint);
        } else if (ending == Ending.UNKNOWN) {
            unknown++;
            ledger.complain(promise.line() + " has no outcome: " + failure + "; " + ratchet.describe(promise.id()));
        }
    }

    /** The tag of each call is in the state of its actor once, at the place that the call has returned. */
    private void judgeActors(List<Promise> promises) throws InterruptedException {
        LoadSession session = new LoadSession(ratchet, "load-verdict", new SplittableRandom(0), 1, System.out);
        Map<Long, List<Long>> states = new HashMap<>();
        for (Promise promise : promises) {
            if (promise.kind() != Kind.CALL) {
                continue;
            }
            List<Long> tags = states.get(promise.first());
            if (tags == null) {
                tags = Job.tags(session, promise.first()).get(left());
                states.put(promise.first(), tags);
            }
            Long place = ratchet.<Long>future(promise.id()).get(left());
            if (place < 1
                    || place > tags.size()
                    || tags.get((int) (place - 1)) != promise.second()
                    || tags.indexOf(promise.second()) != tags.lastIndexOf(promise.second())) {
                ledger.complain(promise.line() + " has returned place " + place + " among " + tags);
            }
        }
    }

    /**
     * Every realized task that counts has counted once, and no other; what tasks have counted together is their sum.
     */
    void judgeEffects() {
        Map<String, Long> counts = new HashMap<>();
        for (String tenant : LoadSession.TENANTS) {
            counts(tenant).forEach((key, count) -> counts.merge(key, count, Long::sum));
        }
        counts.forEach((key, count) -> {
            if (!key.startsWith(Job.SHARED) && count != 1) {
                ledger.complain("the effect of " + key + " has happened " + count + " times");
            }
        });
        long together = sum(counts, Job.SHARED);
        long apart = sum(counts, Tasks.CONTENDED);
        if (together != apart) {
            ledger.complain(apart + " tasks have counted " + together + " times together");
        }
        for (Promise promise : ledger.promises()) {
            long count = counts.getOrDefault(promise.id().toString(), 0L);
            Ending ending = endings.getOrDefault(promise.id(), Ending.UNKNOWN);
            boolean expected = ending == Ending.REALIZED && promise.counted();
            if (ending != Ending.UNKNOWN && count != (expected ? 1 : 0)) {
                ledger.complain(promise.line() + " is " + ending + " and has counted " + count + " times");
            }
        }
    }

    private static long sum(Map<String, Long> counts, String prefix) {
        return counts.entrySet().stream()
                .filter(count -> count.getKey().startsWith(prefix))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private Map<String, Long> counts(String tenant) {
        Table<byte[]> table = cluster.futures().keys().user;
        Map<String, Long> counts = new HashMap<>();
        byte[] from = table.range(tenant).begin;
        byte[] end = table.range(tenant).end;
        while (true) {
            byte[] begin = from;
            List<KeyValue> rows = cluster.database()
                    .read(transaction ->
                            transaction.getRange(begin, end, ROWS).asList().join());
            for (KeyValue row : rows) {
                String key = new String(table.elements(row.getKey()).getBytes(1), StandardCharsets.US_ASCII);
                counts.put(key, ByteBuffer.wrap(row.getValue()).getLong());
            }
            if (rows.size() < ROWS) {
                return counts;
            }
            from = ByteArrayUtil.join(rows.getLast().getKey(), new byte[1]);
        }
    }

    /** What {@code ratchet check} finds. */
    CheckReport check() {
        FutureStore futures = cluster.futures();
        CheckReport report = new ClusterCheck(futures, new StoredMembers(cluster.keyspace()))
                .run()
                .join();
        report.violations().forEach(violation -> ledger.complain("check: " + violation));
        if (!report.isClean() && report.violations().isEmpty()) {
            ledger.complain("check: " + report.violationCount() + " violations");
        }
        return report;
    }

    /** How many ended how, for the report. */
    Map<Ending, Integer> endings() {
        Map<Ending, Integer> counts = new TreeMap<>();
        endings.values().forEach(ending -> counts.merge(ending, 1, Integer::sum));
        return counts;
    }
}
