/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.coordinator;

import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.membership.Member;
import dev.ratchet.protocol.coordinator.v1.ClusterReport;
import dev.ratchet.protocol.coordinator.v1.WorkerStatement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The statements of one term, in order: after each change and at least one in five seconds, while anybody listens. One
 * is made at a time; what changes meanwhile is in the next. Each is read anew with the proof that the term is held, so
 * an observer may take it as newer than anything it saw before. Safe for use by several threads.
 */
public final class ClusterReportStream {

    /** A statement that is older is repeated at the next look at the workers: within the five seconds promised. */
    private static final long SILENCE_MILLIS = 2_500;

    static final int SUBSCRIBER_LIMIT = 64;

    private static final Logger LOG = LoggerFactory.getLogger(ClusterReportStream.class);

    /** Takes statements; must not block. */
    public interface Subscriber {
        void next(ClusterReport statement);

        /** No statement follows: the term has ended. */
        void end();
    }

    private final Term term;
    private final ClusterReports statements;
    private final Environment environment;
    private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();
    private @Nullable ClusterReport last;
    private long lastNanos;
    private long seq;
    private boolean making;
    private boolean makeAgain;
    private boolean owed;
    private boolean closed;

    ClusterReportStream(Term term, ClusterReports statements, Environment environment) {
        this.term = term;
        this.statements = statements;
        this.environment = environment;
    }

    /** Adds a subscriber, which gets a statement at once; false if there are too many or the term has ended. */
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

    /** Something may have changed: makes a statement if it has, or if the last one is old. */
    void refresh() {
        make();
    }

    /** This was seen of the workers: makes a statement if it is news, or if the last one is old. */
    void refresh(List<Member> members) {
        List<WorkerStatement> now = statements.workers(members);
        synchronized (this) {
            boolean news =
                    last == null || owed || !now.equals(last.getWorkersList()) || statements.circuitChangedSince(last);
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
        GuardedCallbacks.each("ending statements", subscribers, Subscriber::end);
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
        GuardedCallbacks.begin(() -> term.read(statements::read))
                .whenCompleteAsync((statement, failure) -> made(statement, failure), environment.executor());
    }

    private void made(@Nullable ClusterReport statement, @Nullable Throwable failure) {
        ClusterReport published = null;
        boolean again;
        synchronized (this) {
            making = false;
            again = makeAgain;
            makeAgain = false;
            if (statement != null && !closed && isDue(statement)) {
                last = statement;
                lastNanos = environment.nanoTime();
                owed = false;
                seq++;
                published = statement.toBuilder().setSeq(seq).build();
            }
        }
        if (statement == null) {
            LOG.info("No statement could be made: term={} failure={}", term.number(), String.valueOf(failure));
        }
        if (published != null) {
            ClusterReport next = published;
            GuardedCallbacks.each("telling a statement", subscribers, subscriber -> subscriber.next(next));
        }
        if (again) {
            make();
        }
    }

    private boolean isDue(ClusterReport statement) {
        return owed || !statement.equals(last) || environment.nanoTime() - lastNanos >= SILENCE_MILLIS * 1_000_000;
    }
}
