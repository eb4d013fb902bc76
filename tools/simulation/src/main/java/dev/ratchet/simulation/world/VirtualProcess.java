/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.world;

import dev.ratchet.environment.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/**
 * One process of a {@link VirtualWorld}: it can be killed, paused (its clocks go on) and suspended (its monotonic clock
 * stands still too), and its clocks may run fast or slow.
 */
public final class VirtualProcess implements Environment {

    private static final long EPOCH_MILLIS = 1_800_000_000_000L;

    private final VirtualWorld world;
    private final String name;
    private final long startNanos;
    private final double rate;
    private final List<Runnable> held = new ArrayList<>();
    private long lostNanos;
    private long suspendedAtNanos = -1;
    private long resumedAtNanos;
    private long wallSkewMillis;
    private boolean paused;
    private boolean dead;
    private boolean frail;

    /** @param driftPerMille by how much its clocks run fast */
    public VirtualProcess(VirtualWorld world, String name, int driftPerMille) {
        this.world = world;
        this.name = name;
        this.startNanos = world.nanos();
        this.rate = 1 + driftPerMille / 1000.0;
        this.resumedAtNanos = Long.MIN_VALUE / 2;
    }

    public VirtualWorld world() {
        return world;
    }

    public String name() {
        return name;
    }

    /** From now on its calls may throw what nobody expects; see {@link VirtualWorld#stray}. */
    public void makeFrail() {
        frail = true;
    }

    public boolean isFrail() {
        return frail;
    }

    /**
     * To be called by what stands for a library, at the begin of each call of this process.
     *
     * @throws StrayException now and then, if the process is frail
     * @throws StrayError as often
     */
    public void mayStray(String call) {
        if (frail && !dead && world.isStray()) {
            world.note(name + " meets a stray throw in " + call);
            if (world.random().nextBoolean()) {
                throw new StrayException(call);
            }
            throw new StrayError(call);
        }
    }

    /** What a defect throws that nobody knows of. */
    public static final class StrayException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StrayException(String call) {
            super("a stray exception in " + call);
        }
    }

    /** As {@link StrayException}, where even fewer expect it. */
    public static final class StrayError extends Error {
        private static final long serialVersionUID = 1L;

        StrayError(String call) {
            super("a stray error in " + call);
        }
    }

    void receive(Runnable task) {
        if (paused) {
            held.add(task);
        } else if (!dead) {
            run(task);
        }
    }

    /** An executor goes on whatever a task throws, and so does this; but what no stray has caused is a finding. */
    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error thrown) {
            for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
                if (cause instanceof StrayException || cause instanceof StrayError) {
                    world.note(name + " has let pass: " + thrown);
                    return;
                }
            }
            throw thrown;
        }
    }

    /** As kill -9: nothing of it runs any more. */
    public void kill() {
        dead = true;
        paused = false;
        held.clear();
    }

    public boolean isDead() {
        return dead;
    }

    public boolean isPaused() {
        return paused;
    }

    /** Whether it went on after a pause less than so long ago: what was due meanwhile may come late. */
    public boolean isBackWithin(long millis) {
        return world.nanos() - resumedAtNanos < millis * 1_000_000;
    }

    /** As SIGSTOP. */
    public void pause() {
        paused = !dead;
    }

    /** As SIGCONT; without effect unless paused. */
    public void resume() {
        if (!paused) {
            return;
        }
        paused = false;
        resumedAtNanos = world.nanos();
        if (suspendedAtNanos >= 0) {
            lostNanos += world.nanos() - suspendedAtNanos;
            suspendedAtNanos = -1;
        }
        List<Runnable> late = List.copyOf(held);
        held.clear();
        late.forEach(task -> world.at(0, this, task));
    }

    /** As {@link #pause}, but the monotonic clock stands still until {@link #resume}: the machine sleeps. */
    public void suspend() {
        pause();
        suspendedAtNanos = dead ? -1 : world.nanos();
    }

    /** Sets the wall clock wrong. */
    public void skewWallClock(long millis) {
        wallSkewMillis = millis;
    }

    /** Makes threads that run in this process and in virtual time; see {@link VirtualThreads}. */
    @Override
    public ThreadFactory threads() {
        return new VirtualThreads(this);
    }

    @Override
    public long nanoTime() {
        long awake = suspendedAtNanos < 0 ? world.nanos() : suspendedAtNanos;
        return startNanos + Math.round((awake - startNanos - lostNanos) * rate);
    }

    @Override
    public long wallClockMillis() {
        return EPOCH_MILLIS + world.nanos() / 1_000_000 + wallSkewMillis;
    }

    @Override
    public Executor executor() {
        return task -> world.at(0, this, task);
    }

    @Override
    public Cancellable schedule(long delayMillis, Runnable task) {
        boolean[] cancelled = {false};
        world.at(Math.round(delayMillis * 1_000_000 / rate), this, () -> {
            if (!cancelled[0]) {
                task.run();
            }
        });
        return () -> cancelled[0] = true;
    }

    @Override
    public RandomGenerator random() {
        return world.random();
    }

    @Override
    public String toString() {
        return name;
    }
}
