/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.simulated;

import dev.ratchet.store.environment.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * One process of a {@link VirtualWorld}: it can be killed, paused (its clocks go on) and suspended (its monotonic clock
 * stands still too), and its clocks may run fast or slow.
 */
public final class VirtualProcess implements Environment {

    private final VirtualWorld world;
    private final long startNanos;
    private final double rate;
    private final List<Runnable> held = new ArrayList<>();
    private long lostNanos;
    private long suspendedAtNanos = -1;
    private long wallSkewMillis;
    private boolean paused;
    private boolean dead;

    /** @param driftPerMille by how much its clocks run fast */
    public VirtualProcess(VirtualWorld world, int driftPerMille) {
        this.world = world;
        this.startNanos = world.nanos();
        this.rate = 1 + driftPerMille / 1000.0;
    }

    void receive(Runnable task) {
        if (paused) {
            held.add(task);
        } else if (!dead) {
            task.run();
        }
    }

    public void kill() {
        dead = true;
        paused = false;
        held.clear();
    }

    public boolean isDead() {
        return dead;
    }

    public void pause() {
        paused = true;
    }

    public void resume() {
        paused = false;
        List<Runnable> late = List.copyOf(held);
        held.clear();
        late.forEach(task -> world.at(0, this, task));
    }

    /** As {@link #pause}, but the monotonic clock stands still until {@link #wakeUp}. */
    public void suspend() {
        pause();
        suspendedAtNanos = world.nanos();
    }

    public void wakeUp() {
        lostNanos += world.nanos() - suspendedAtNanos;
        suspendedAtNanos = -1;
        resume();
    }

    /** Sets the wall clock wrong. */
    public void skewWallClock(long millis) {
        wallSkewMillis = millis;
    }

    @Override
    public long nanoTime() {
        return startNanos + Math.round((world.nanos() - startNanos - lostNanos) * rate);
    }

    @Override
    public long wallClockMillis() {
        return 1_800_000_000_000L + world.nanos() / 1_000_000 + wallSkewMillis;
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
}
