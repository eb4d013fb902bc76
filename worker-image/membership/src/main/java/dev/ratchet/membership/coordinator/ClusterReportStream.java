/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.coordinator;

import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.membership.Member;
import dev.ratchet.protocol.coordinator.v1.ClusterReport;
import dev.ratchet.protocol.coordinator.v1.ReportedWorker;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reports of one term, in order: after each change and at least one in five seconds, while anybody listens. One is
 * made at a time; what changes meanwhile is in the next. Each is read anew with the proof that the term is held, so an
 * observer may take it as newer than anything it saw before. Safe for use by several threads.
 */
public final class ClusterReportStream {

    /** A report that is older is repeated at the next look at the workers: within the five seconds promised. */
    private static final long SILENCE_MILLIS = 2_500;

    static final int SUBSCRIBER_LIMIT = 64;

    private static final Logger LOG = LoggerFactory.getLogger(ClusterReportStream.class);

    /** Takes reports; must not block. */
    public interface Subscriber {
        void next(ClusterReport clusterReport);

        /** No report follows: the term has ended. */
        void end();
    }

    private final Term term;
    private final ClusterReports clusterReports;
    private final Environment environment;
    private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();
    private @Nullable ClusterReport last;
    private long lastNanos;
    private long seq;
    private boolean making;
    private boolean makeAgain;
    private boolean owed;
    private boolean closed;

    ClusterReportStream(Term term, ClusterReports clusterReports, Environment environment) {
        this.term = term;
        this.clusterReports = clusterReports;
        this.environment = environment;
    }

    /** Adds a subscriber, which gets a report at once; false if there are too many or the term has ended. */
    boolean subscribe(Subscriber subscriber) {
        synchronized (this) {
            if (closed || subscribers.size() >= SUBSCRIBER_LIMIT) {
                return false;
            }
            subscribers.add(subscriber);
            owed = true;
        }
        make();
        return true;
    }

    void unsubscribe(Subscriber subscriber) {
        subscribers.remove(subscriber);
    }

    /** Something may have changed: makes a report if it has, or if the last one is old. */
    void refresh() {
        make();
    }

    /** This was seen of the workers: makes a report if it is news, or if the last one is old. */
    void refresh(List<Member> members) {
        List<ReportedWorker> now = clusterReports.workers(members);
        synchronized (this) {
            boolean news = last == null
                    || owed
                    || !now.equals(last.getWorkersList())
                    || clusterReports.circuitChangedSince(last);
            if (!news && environment.nanoTime() - lastNanos < SILENCE_MILLIS * 1_000_000) {
                return;
            }
        }
        make();
    }

    void close() {
        synchronized (this) {
            closed = true;
        }
        GuardedCallbacks.each("ending reports", subscribers, Subscriber::end);
        subscribers.clear();
    }

    private void make() {
        synchronized (this) {
            if (closed || subscribers.isEmpty()) {
                return;
            }
            if (making) {
                makeAgain = true;
                return;
            }
            making = true;
        }
        GuardedCallbacks.begin(() -> term.read(clusterReports::read))
                .whenCompleteAsync((clusterReport, failure) -> made(clusterReport, failure), environment.executor());
    }

    private void made(@Nullable ClusterReport clusterReport, @Nullable Throwable failure) {
        ClusterReport published = null;
        boolean again;
        synchronized (this) {
            making = false;
            again = makeAgain;
            makeAgain = false;
            if (clusterReport != null && !closed && isDue(clusterReport)) {
                last = clusterReport;
                lastNanos = environment.nanoTime();
                owed = false;
                seq++;
                published = clusterReport.toBuilder().setSeq(seq).build();
            }
        }
        if (clusterReport == null) {
            LOG.info("No report could be made: term={} failure={}", term.number(), String.valueOf(failure));
        }
        if (published != null) {
            ClusterReport next = published;
            GuardedCallbacks.each("telling a report", subscribers, subscriber -> subscriber.next(next));
        }
        if (again) {
            make();
        }
    }

    private boolean isDue(ClusterReport clusterReport) {
        return owed || !clusterReport.equals(last) || environment.nanoTime() - lastNanos >= SILENCE_MILLIS * 1_000_000;
    }
}
