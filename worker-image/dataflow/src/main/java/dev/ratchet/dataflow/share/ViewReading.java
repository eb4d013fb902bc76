/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.share;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.dataflow.ShareFeed;
import dev.ratchet.environment.Environment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One reading: follows each view in each process, and tells a step once all shares have told it. Where a share ends,
 * all are followed again after the last whole step: the steps are taken again and change the same. Another run is
 * followed as soon as it is in force; within a run a share that has ended is tried again after a while. A reader that
 * knows a step of one life of the circuit is told nothing of another one: the reading fails. All state belongs to the
 * serial executor.
 */
final class ViewReading implements ViewReader.Reading {

    private static final long RETRY_MILLIS_MIN = 20;
    private static final long RETRY_MILLIS_MAX = 1_000;

    private final CircuitShares shares;
    private final Environment environment;
    private final ViewReader.Limits limits;
    private final Map<String, RowSchema> schemas;
    private final ViewListener listener;
    private final SerialExecutor executor;

    private List<FollowedShare> followed = List.of();

    /** The life of the circuit whose steps are read, 0 before it is known. */
    private long life;

    private long lastStep;
    private long requested;
    private long retryMillis = RETRY_MILLIS_MIN;

    /** How often the shares were, or are to be, followed anew: who was to do so before the last time does not. */
    private long attempts;

    private ShareFeed.@Nullable Subscription changes;
    private boolean closed;

    /**
     * @param life of the circuit to which that step belongs, or {@link ShareFeed#ANY_LIFE}
     * @param lastStep that the reader knows, or {@link ShareFeed#FROM_SNAPSHOT}
     */
    ViewReading(
            CircuitShares shares,
            Environment environment,
            ViewReader.Limits limits,
            Map<String, RowSchema> schemas,
            long life,
            long lastStep,
            ViewListener listener) {
        this.shares = shares;
        this.environment = environment;
        this.limits = limits;
        this.schemas = schemas;
        this.life = life;
        this.lastStep = lastStep;
        this.listener = listener;
        this.executor = new SerialExecutor(environment.executor());
    }

    void begin() {
        executor.execute(() -> {
            changes = shares.onChange(() -> executor.execute(this::changed));
            followAll();
        });
    }

    /** Whoever was followed is of a run that is over. */
    private void changed() {
        retryMillis = RETRY_MILLIS_MIN;
        stop();
        followAll();
    }

    @Override
    public void request(int calls) {
        executor.execute(() -> {
            requested += calls;
            deliver();
        });
    }

    @Override
    public void close() {
        executor.execute(this::end);
    }

    private void end() {
        closed = true;
        stop();
        ShareFeed.Subscription former = changes;
        changes = null;
        if (former != null) {
            former.close();
        }
    }

    private void stop() {
        List<FollowedShare> former = followed;
        followed = List.of();
        former.forEach(FollowedShare::close);
    }

    private void fail(String reason) {
        end();
        listener.failed(reason);
    }

    private void followAll() {
        if (closed) {
            return;
        }
        attempts++;
        long current = shares.life();
        if (current != ShareFeed.ANY_LIFE) {
            if (lastStep != ShareFeed.FROM_SNAPSHOT && life != ShareFeed.ANY_LIFE && life != current) {
                fail("The circuit was started anew: its steps are not those of which the reader has step " + lastStep
                        + "; begin again with a snapshot");
                return;
            }
            life = current;
        }
        List<ShareFeed> feeds = shares.feeds();
        if (feeds.isEmpty()) {
            return;
        }
        List<FollowedShare> begun = new ArrayList<>();
        followed = begun;
        try {
            for (Map.Entry<String, RowSchema> view : schemas.entrySet()) {
                if (!shares.schema(view.getKey()).equals(view.getValue())) {
                    throw new IllegalArgumentException("View " + view.getKey() + " has other columns now");
                }
                for (ShareFeed feed : feeds) {
                    FollowedShare share = new FollowedShare(view.getKey(), feed, lastStep, this);
                    begun.add(share);
                    share.follow();
                }
            }
        } catch (IllegalArgumentException gone) {
            fail(gone.getMessage() + "; begin again with a snapshot");
        }
    }

    long life() {
        return life;
    }

    private void followLater() {
        attempts++;
        long attempt = attempts;
        environment.schedule(
                retryMillis,
                () -> executor.execute(() -> {
                    if (attempt == attempts) {
                        followAll();
                    }
                }));
        retryMillis = Math.min(RETRY_MILLIS_MAX, retryMillis * 2);
    }

    /** Runs what a share was told, unless it is not followed any more. */
    void told(FollowedShare share, Runnable change) {
        executor.execute(() -> {
            if (!closed && followed.contains(share)) {
                change.run();
                deliver();
            }
        });
    }

    /** A share ended, so that its steps may be taken again. */
    void ended() {
        stop();
        followLater();
    }

    void expired(long oldestStep) {
        if (lastStep == ShareFeed.FROM_SNAPSHOT) {
            // Between the snapshot of one share and that of another; the next snapshots are nearer to each other.
            ended();
        } else {
            end();
            listener.expired(oldestStep);
        }
    }

    private void deliver() {
        if (closed || followed.isEmpty()) {
            return;
        }
        if (lastStep == ShareFeed.FROM_SNAPSHOT) {
            long bytes = followed.stream().mapToLong(FollowedShare::bytes).sum();
            if (bytes > limits.snapshotBytes()) {
                fail("The rows of " + String.join(", ", schemas.keySet()) + " take more than " + limits.snapshotBytes()
                        + " bytes at once; make a view of fewer rows");
                return;
            }
        }
        while (!closed && requested > 0 && deliverNext()) {
            requested--;
            retryMillis = RETRY_MILLIS_MIN;
        }
        if (lastStep != ShareFeed.FROM_SNAPSHOT) {
            followed.forEach(share -> share.hold(limits.waitingBytes()));
        }
    }

    private boolean deliverNext() {
        long whole = Long.MAX_VALUE;
        long snapshot = ShareFeed.FROM_SNAPSHOT;
        long next = Long.MAX_VALUE;
        for (FollowedShare share : followed) {
            whole = Math.min(whole, share.toldStep());
            snapshot = Math.max(snapshot, share.snapshotStep());
            next = Math.min(next, share.nextStep());
        }
        if (lastStep == ShareFeed.FROM_SNAPSHOT) {
            if (whole == ShareFeed.FROM_SNAPSHOT || whole < snapshot) {
                return false;
            }
            lastStep = snapshot;
            listener.snapshot(snapshot, take(snapshot, true));
        } else if (next <= whole) {
            lastStep = next;
            listener.changes(next, take(next, false));
        } else if (whole > lastStep) {
            lastStep = whole;
            listener.progress(whole);
        } else {
            return false;
        }
        return true;
    }

    /** What the shares have up to a step, by view. */
    private Map<String, Batch> take(long step, boolean all) {
        Map<String, List<Batch>> parts = new LinkedHashMap<>();
        followed.forEach(share ->
                parts.computeIfAbsent(share.view(), view -> new ArrayList<>()).addAll(share.take(step)));
        Map<String, Batch> sums = new LinkedHashMap<>();
        schemas.forEach((view, schema) -> {
            Batch sum = BatchMerge.merge(schema, parts.getOrDefault(view, List.of()));
            if (all || !sum.isEmpty()) {
                sums.put(view, sum);
            }
        });
        return sums;
    }
}
