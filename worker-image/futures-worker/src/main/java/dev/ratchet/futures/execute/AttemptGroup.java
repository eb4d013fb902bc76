/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import dev.ratchet.client.FutureId;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.Environment.Cancellable;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.nesting.TaskCall;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.settle.Outcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Attempts that the thread of one slot makes one after the other, to be recorded in one transaction. Whatever runs here
 * runs in such a group:
 *
 * <ul>
 *   <li>a future that was claimed by itself: one attempt, which is that of its claim and takes as long as it takes;
 *   <li>a block that was claimed: its futures, for a while;
 *   <li>short futures of requests that are not recorded yet: for a while, too, and recorded with the requests;
 *   <li>those of them that are calls of actors, which begin with what the call before has left, see
 *       {@link SpeculativeCalls}.
 * </ul>
 *
 * <p>A group of several is sealed when it is through, when it has taken too long, when another tenant waits for the
 * slot, or when one of its attempts waits for other futures: then what has ended is recorded, what runs goes on by
 * itself, and what has not started is left to everybody.
 */
public final class AttemptGroup implements Runnable {

    /** Results, and states of actors, that one transaction records; those after are for others. */
    private static final long RESULT_BYTES_MAX = 2_000_000;

    /** What is attempted. */
    public interface Item {

        /** As it is or will be recorded. */
        Claimed claimed();

        /**
         * What it needs to run; null while that is not at hand: then it is not started.
         *
         * @param before how earlier ones of the group have ended
         */
        TaskCall.@Nullable Inputs inputs(Map<FutureId, Optional<Outcome>> before);

        /** Whether it is the claim in whose place it runs, and not one of several. */
        default boolean isClaim() {
            return false;
        }

        /** How it has ended when its code has run for so long and ended like this. */
        default Outcome after(Outcome outcome, long runNanos) {
            return outcome;
        }
    }

    private final WorkLoop loop;
    private final Environment environment;
    private final Execution admitted;
    private final List<? extends Item> items;
    private final Function<Map<FutureId, Optional<Outcome>>, CompletableFuture<?>> recording;
    private final Map<FutureId, Optional<Outcome>> ended = new HashMap<>();
    private final Set<FutureId> revoked = new HashSet<>();
    private final CompletableFuture<Void> recorded = new CompletableFuture<>();
    private @Nullable Cancellable sharedDeadline;
    private @Nullable Execution running;
    private boolean sealed;
    private boolean leavesOff;
    private long resultBytes;

    /**
     * @param admitted in whose place all of them run
     * @param recording records how those that were started have ended; empty: still going on
     */
    AttemptGroup(
            WorkLoop loop,
            Environment environment,
            Execution admitted,
            List<? extends Item> items,
            Function<Map<FutureId, Optional<Outcome>>, CompletableFuture<?>> recording) {
        this.loop = loop;
        this.environment = environment;
        this.admitted = admitted;
        this.items = items;
        this.recording = recording;
    }

    /** Seals it when {@code limit} is over at the latest. */
    synchronized void limit(SharedDeadline limit) {
        sharedDeadline = limit.begin(this::seal);
    }

    /** On the thread of a slot. */
    @Override
    public void run() {
        try {
            for (Item item : items) {
                if (isSealed()) {
                    break;
                }
                TaskCall.Inputs inputs = inputs(item);
                Execution execution = inputs == null ? null : begin(item);
                if (inputs == null || execution == null) {
                    continue;
                }
                long began = environment.nanoTime();
                Outcome ended = loop.attempt(execution, inputs);
                long now = environment.nanoTime();
                if (execution.isOverdue(now)) {
                    // It has ended before the watchdog has looked, which it does now and then.
                    execution.stop(Execution.Stop.TIMED_OUT);
                }
                Outcome outcome = item.after(ended, now - began);
                if (!end(execution, outcome)) {
                    loop.ended(execution, outcome);
                }
            }
        } finally {
            seal();
        }
    }

    private synchronized boolean isSealed() {
        return sealed || leavesOff || resultBytes > RESULT_BYTES_MAX || admitted.stopped() != null;
    }

    private synchronized TaskCall.@Nullable Inputs inputs(Item item) {
        return sealed ? null : item.inputs(ended);
    }

    private synchronized @Nullable Execution begin(Item item) {
        if (sealed || revoked.contains(item.claimed().id())) {
            return null;
        }
        if (item.isClaim()) {
            return admitted;
        }
        Execution execution = new Execution(item.claimed(), environment.nanoTime());
        execution.runIn(admitted, this::seal, recorded);
        if (!execution.start(environment.nanoTime())) {
            return null;
        }
        running = execution;
        return execution;
    }

    /** Whether the outcome goes into the transaction of the group. What changes the store has one of its own. */
    private synchronized boolean end(Execution execution, Outcome outcome) {
        running = null;
        if (sealed) {
            return false;
        }
        FutureId id = execution.claimed().id();
        if (outcome.isAlone() && execution != admitted) {
            ended.put(id, Optional.empty());
            loop.adopt(admitted, execution);
            return false;
        }
        ended.put(id, Optional.of(outcome));
        resultBytes += outcome.bytes();
        return true;
    }

    /** Has it sealed as soon as what runs has ended. */
    synchronized void leaveOff() {
        leavesOff = true;
    }

    /** Stops one whose claim is not in force any more, unless it is through. */
    synchronized void revoke(FutureId id) {
        revoked.add(id);
        if (running != null && running.claimed().id().equals(id)) {
            running.stop(Execution.Stop.REVOKED);
        }
    }

    /** Records what there is by now, the first time that it is called. */
    void seal() {
        Map<FutureId, Optional<Outcome>> all;
        synchronized (this) {
            if (sealed) {
                return;
            }
            sealed = true;
            if (sharedDeadline != null) {
                sharedDeadline.cancel();
            }
            if (running != null) {
                ended.put(running.claimed().id(), Optional.empty());
                loop.adopt(admitted, running);
            }
            all = Map.copyOf(ended);
        }
        GuardedCallbacks.begin(() -> recording.apply(all)).whenComplete((done, failure) -> recorded.complete(null));
    }
}
