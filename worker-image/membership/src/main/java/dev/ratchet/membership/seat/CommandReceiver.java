/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import dev.ratchet.membership.MembershipCounters;
import dev.ratchet.membership.SeatOrder;
import dev.ratchet.protocol.membership.v1.CommandRecord;

/**
 * The order of commands to this seat: by (term, seq), each executed once. A term is adopted before it is answered, so
 * no command of a lower one succeeds by message afterwards. What is read from the store was written under the fence of
 * its term and is taken whatever terms were heard of, if it is newer than what was executed. Safe for use by several
 * threads; the handler runs under its lock, so commands take effect in order.
 */
public final class CommandReceiver {

    /** Executes a command. */
    @FunctionalInterface
    interface Handler {
        void execute(SeatOrder order);
    }

    /** The message is older than what was already heard. */
    public static final class StaleCommandException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StaleCommandException(long term, long seq, long heardTerm, long lastTerm, long lastSeq) {
            super("A newer coordinator or command was heard: term=" + term + " seq=" + seq + " heardTerm=" + heardTerm
                    + " lastTerm=" + lastTerm + " lastSeq=" + lastSeq);
        }
    }

    /** What {@link #hello} answers. */
    public record Heard(long term, long lastTerm, long lastSeq, boolean draining) {}

    private final Handler handler;
    private final MembershipCounters counters;
    private long term;
    private long lastTerm;
    private long lastSeq;
    private boolean draining;

    CommandReceiver(Handler handler, MembershipCounters counters) {
        this.handler = handler;
        this.counters = counters;
    }

    /**
     * Adopts a term.
     *
     * @throws StaleCommandException if a higher one was heard
     */
    public synchronized Heard hello(long ofTerm) {
        if (ofTerm < term) {
            throw stale(ofTerm, 0);
        }
        term = ofTerm;
        return heard();
    }

    /** What was heard and executed so far. */
    public synchronized Heard heard() {
        return new Heard(term, lastTerm, lastSeq, draining);
    }

    /**
     * Executes a command that came by message, unless it was executed before.
     *
     * @throws StaleCommandException if a higher term was heard or a newer command executed
     */
    public synchronized void order(long ofTerm, long seq, SeatOrder order) {
        boolean repeated = ofTerm == lastTerm && seq == lastSeq;
        if (ofTerm < term || (!repeated && !isNewer(ofTerm, seq))) {
            throw stale(ofTerm, seq);
        }
        term = ofTerm;
        if (!repeated) {
            execute(ofTerm, seq, order);
        }
    }

    /**
     * Executes the newest command in the store, unless it or a newer one was executed before.
     *
     * @param incarnation of this process: another one's need not park
     */
    synchronized void recorded(CommandRecord command, long incarnation) {
        if (isNewer(command.getTerm(), command.getSeq())) {
            term = Math.max(term, command.getTerm());
            boolean park = command.getParkIncarnation() == incarnation;
            execute(
                    command.getTerm(),
                    command.getSeq(),
                    new SeatOrder(command.getDrain(), park, command.getDrainTimeoutMillis()));
        }
    }

    private StaleCommandException stale(long ofTerm, long seq) {
        counters.refusedCommands.increment();
        return new StaleCommandException(ofTerm, seq, term, lastTerm, lastSeq);
    }

    private boolean isNewer(long ofTerm, long seq) {
        return ofTerm > lastTerm || (ofTerm == lastTerm && seq > lastSeq);
    }

    private void execute(long ofTerm, long seq, SeatOrder order) {
        assert isNewer(ofTerm, seq) && ofTerm <= term : "commands are executed in order, in a term that was heard";
        lastTerm = ofTerm;
        lastSeq = seq;
        draining = order.drain();
        counters.commands.increment();
        handler.execute(order);
    }
}
