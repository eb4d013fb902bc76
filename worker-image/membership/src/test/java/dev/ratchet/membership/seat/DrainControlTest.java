/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.membership.Claims;
import dev.ratchet.membership.Inventory;
import dev.ratchet.membership.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a drain counts as done, and when it is begun again. */
class DrainControlTest {

    private final SystemEnvironment system = new SystemEnvironment();
    private final Timers timers = new Timers(system, new ArrayList<>());
    private final Draining holdings = new Draining();
    private final DrainControl control = new DrainControl(holdings, timers, () -> {});

    @AfterEach
    void close() {
        system.close();
    }

    @Test
    void aDrainThatEndsWhileSomethingIsHeldIsTriedAgain() {
        holdings.held = 1;
        control.command(true, 60_000);
        holdings.end(0);
        assertThat(control.isEmptied()).isFalse();
        holdings.held = 0;
        timers.fire();
        holdings.end(1);
        assertThat(control.isEmptied()).isTrue();
    }

    @Test
    void theEndOfADrainThatWasCalledOffIsNotThatOfTheNext() {
        control.command(true, 60_000);
        control.command(false, 0);
        control.command(true, 60_000);
        holdings.end(0);
        assertThat(control.isEmptied()).isFalse();
        holdings.end(1);
        assertThat(control.isEmptied()).isTrue();
        control.command(false, 0);
        assertThat(control.isEmptied()).isFalse();
    }

    @Test
    void aDrainThatIsWantedSoonerIsBegunAgainAndARepeatedOneIsNot() {
        control.command(true, 60_000);
        control.command(true, 60_000);
        control.leave(1_000);
        assertThat(holdings.timeouts).containsExactly(60_000L, 1_000L);
    }

    /** Holds so many futures, and ends its drains when the test says so. */
    private static final class Draining extends Claims {
        private final List<CompletableFuture<Void>> drains = new ArrayList<>();
        private final List<Long> timeouts = new ArrayList<>();
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
        public CompletableFuture<Void> drain(long timeoutMillis) {
            CompletableFuture<Void> drain = new CompletableFuture<>();
            drains.add(drain);
            timeouts.add(timeoutMillis);
            return drain;
        }
    }
}
