/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.environment.Environment;
import dev.ratchet.environment.ForwardingEnvironment;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.membership.Claims;
import dev.ratchet.membership.Inventory;
import dev.ratchet.membership.SeatOrder;
import dev.ratchet.membership.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a drain counts as done, and when it is begun again. */
class DrainControlTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final SystemEnvironment system = new SystemEnvironment();
    private final AtomicLong laterNanos = new AtomicLong();
    private final Timers timers = new Timers(new Later(system, laterNanos), new ArrayList<>());
    private final Draining holdings = new Draining();
    private final DrainControl control = new DrainControl(holdings, timers, () -> {});

    @AfterEach
    void close() {
        system.close();
    }

    @Test
    void aDrainThatEndsWhileSomethingIsHeldIsTriedAgain() {
        holdings.held = 1;
        control.command(drain(true, 60_000));
        holdings.end(0);
        assertThat(control.isEmptied()).isFalse();
        holdings.held = 0;
        timers.fire();
        holdings.end(1);
        assertThat(control.isEmptied()).isTrue();
    }

    @Test
    void theEndOfADrainThatWasCalledOffIsNotThatOfTheNext() {
        control.command(drain(true, 60_000));
        control.command(drain(false, 0));
        control.command(drain(true, 60_000));
        holdings.end(0);
        assertThat(control.isEmptied()).isFalse();
        holdings.end(1);
        assertThat(control.isEmptied()).isTrue();
        control.command(drain(false, 0));
        assertThat(control.isEmptied()).isFalse();
    }

    @Test
    void aDrainThatIsWantedSoonerIsBegunAgainAndARepeatedOneIsNot() {
        control.command(drain(true, 60_000));
        control.command(drain(true, 60_000));
        control.leave(1_000, 0);
        assertThat(holdings.timeouts).containsExactly(60_000L, 1_000L);
    }

    @Test
    void whoIsToParkDoesSoAlsoWhenItEndsAndMayEndOnceTheOrderHadItsTimeToBeTakenBack() {
        control.command(new SeatOrder(false, true, 60_000));
        assertThat(control.isParked()).isFalse();
        holdings.held = 1;
        holdings.parks.getFirst().complete(null);
        assertThat(control.isParked()).isTrue();
        assertThat(control.isEmptied()).as("what it holds is there").isFalse();
        control.leave(60_000, 60_000);
        assertThat(control.isParked()).isTrue();
        assertThat(control.mayEndParked()).isFalse();
        control.leave(60_000, 0);
        assertThat(control.mayEndParked()).isTrue();
        assertThat(holdings.drains).isEmpty();
    }

    @Test
    void whoHasParkedForLongAndEndsHandsOverUnlessWhatItHoldsOutlivesItsPod() {
        control.command(new SeatOrder(false, true, 60_000));
        holdings.held = 1;
        holdings.parks.getFirst().complete(null);
        laterNanos.addAndGet(31_000_000_000L);
        control.leave(60_000, 0);
        assertThat(control.mayEndParked()).as("on a volume").isTrue();
        control.leave(60_000, 1_000);
        assertThat(control.mayEndParked()).isFalse();
        assertThat(control.isParked()).isFalse();
        assertThat(holdings.drains).hasSize(1);
        holdings.held = 0;
        holdings.end(0);
        assertThat(control.isEmptied()).isTrue();
    }

    @Test
    void whoEndsAndIsNotToParkAnyMoreHandsOver() {
        control.command(new SeatOrder(false, true, 60_000));
        holdings.parks.getFirst().complete(null);
        control.leave(60_000, 60_000);
        control.command(drain(false, 60_000));
        assertThat(control.isParked()).isFalse();
        assertThat(control.mayEndParked()).isFalse();
        holdings.end(0);
        assertThat(control.isEmptied()).isTrue();
    }

    /** A drain is called off by one thread while another one has the process leave. */
    @Test
    void whatIsHeldHearsOfGoalsInTheOrderInWhichTheyChange() throws Exception {
        Thread leaving = Thread.ofPlatform().unstarted(() -> control.leave(1_000, 0));
        holdings.whileResuming = () -> {
            leaving.start();
            long end = System.nanoTime() + LIMIT.toNanos();
            while (leaving.getState() != Thread.State.BLOCKED && leaving.isAlive()) {
                assertThat(System.nanoTime()).as("it waits, or is through").isLessThan(end);
                Thread.onSpinWait();
            }
        };

        control.command(drain(true, 60_000));
        control.command(drain(false, 0));

        assertThat(leaving.join(LIMIT)).as("it leaves").isTrue();
        assertThat(holdings.heard).containsExactly("drain", "resume", "drain");
    }

    @Test
    void whoIsToDrainHandsOverWhetherItIsToParkOrNot() {
        control.command(new SeatOrder(true, true, 60_000));
        assertThat(holdings.parks).isEmpty();
        assertThat(holdings.drains).hasSize(1);
    }

    private static SeatOrder drain(boolean on, long timeoutMillis) {
        return new SeatOrder(on, false, timeoutMillis);
    }

    /** A clock that is ahead. */
    private record Later(Environment real, AtomicLong byNanos) implements ForwardingEnvironment {
        @Override
        public long nanoTime() {
            return real.nanoTime() + byNanos.get();
        }
    }

    /** Holds so many futures, and ends its drains when the test says so. */
    private static final class Draining extends Claims {
        private final List<CompletableFuture<Void>> drains = new ArrayList<>();
        private final List<CompletableFuture<Void>> parks = new ArrayList<>();
        private final List<Long> timeouts = new ArrayList<>();
        private final List<String> heard = new CopyOnWriteArrayList<>();
        private Runnable whileResuming = () -> {};
        private int held;

        Draining() {
            super(0);
        }

        void end(int drain) {
            drains.get(drain).complete(null);
        }

        @Override
        public Inventory now() {
            return Inventory.NONE.withFutures(held);
        }

        @Override
        public CompletableFuture<Void> park(long timeoutMillis) {
            CompletableFuture<Void> park = new CompletableFuture<>();
            parks.add(park);
            return park;
        }

        @Override
        public CompletableFuture<Void> drain(long timeoutMillis) {
            heard.add("drain");
            CompletableFuture<Void> drain = new CompletableFuture<>();
            drains.add(drain);
            timeouts.add(timeoutMillis);
            return drain;
        }

        @Override
        public void resume() {
            whileResuming.run();
            heard.add("resume");
        }
    }
}
