/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.settle;

import com.apple.foundationdb.Transaction;
import dev.ratchet.environment.Environment;
import dev.ratchet.futures.collect.Expiry;
import dev.ratchet.futures.lifecycle.Event;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.futures.session.SessionFence;
import dev.ratchet.futures.session.SessionKeys;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.Failure;
import dev.ratchet.protocol.futures.v1.Result;
import dev.ratchet.protocol.futures.v1.State;
import java.util.UUID;

/**
 * What the end of an attempt means for the record of its future and for the indexes that follow from it. Decides only;
 * the transaction writes. The caller has checked that the claim is the one whose attempt has ended.
 */
public final class Recorder {

    private final SessionKeys sessions;
    private final Environment environment;
    private final String ownSeat;
    private final AntiAffinity elsewhere;

    /**
     * @param ownSeat whose waiters the caller tells itself, also when it finds only later that it has recorded the
     *     outcome; empty where it does not
     */
    public Recorder(FutureKeys keys, Environment environment, String ownSeat, AntiAffinity elsewhere) {
        this.elsewhere = elsewhere;
        this.sessions = new SessionKeys(keys);
        this.environment = environment;
        this.ownSeat = ownSeat;
    }

    /** Records how an attempt has ended; what is to be stored with it is the caller's. */
    public void end(FutureTransaction futures, LoadedFuture future, Outcome outcome) {
        switch (outcome) {
            case Outcome.Realized realized -> realize(futures, future, realized.result());
            case Outcome.Failed failed -> fail(futures, future, failed.failure(), failed.permanent());
            case Outcome.GivenBack givenBack -> giveBack(futures, future);
            case Outcome.OfBlock ofBlock -> throw new IllegalArgumentException("A block is recorded by its futures");
        }
    }

    /** Makes the future REALIZED. */
    void realize(FutureTransaction futures, LoadedFuture future, Result result) {
        ClaimToken claim = future.record().getClaim();
        future.apply(Event.REALIZE);
        future.change().setResult(result);
        futures.count(future.record().getJob(), "realized", claim.getSeat(), future.futuresAfter());
        done(futures, future);
    }

    /** Readies the future for another attempt, or makes it FAILED where none is left or sensible. */
    public void fail(FutureTransaction futures, LoadedFuture future, Failure failure, boolean permanent) {
        future.change().setFailure(failure);
        if (permanent || !Retries.allow(future.record(), failure)) {
            future.apply(Event.EXHAUST);
            done(futures, future);
            return;
        }
        Retries.prepare(future, failure, elsewhere, environment.wallClockMillis());
        futures.count(future.record().getJob(), "retried", "", 1);
        futures.ready(future, Event.RETRY);
    }

    /** Readies the future again; the attempt does not count. */
    public void giveBack(FutureTransaction futures, LoadedFuture future) {
        forgive(future);
        futures.ready(future, Event.GIVE_BACK);
    }

    /** Ends the future. The worker that runs it, if any, is told. */
    void cancel(FutureTransaction futures, LoadedFuture future) {
        ClaimToken claim = future.record().getClaim();
        boolean running = future.state() == State.STATE_CLAIMED;
        future.apply(Event.CANCEL);
        if (running) {
            futures.mail(claim.getSeat(), future.id());
        }
        done(futures, future);
    }

    /** What every future that has become done needs, apart from its dependents. */
    public void done(FutureTransaction futures, LoadedFuture future) {
        future.change().setDoneWallMillis(environment.wallClockMillis());
        leaveSession(futures.transaction(), future);
        Expiry.schedule(futures, future);
        futures.deliver(future, ownSeat);
    }

    private void leaveSession(Transaction transaction, LoadedFuture future) {
        if (SessionFence.isOfSession(future)) {
            UUID session = SessionIds.of(
                    future.record().getSchedulingSpec().getSession().getId());
            sessions.futures.clear(transaction, session, future.id().value());
        }
    }

    /** Makes an attempt not count. */
    public static void forgive(LoadedFuture future) {
        future.change().setNumAttempts(Math.max(0, future.record().getNumAttempts() - 1));
    }
}
