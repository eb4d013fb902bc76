/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.ratchet.futures.log.LogOwner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Attempts that come, wait, go on, are told to end and end, in processes that end by themselves or on somebody's
 * account, in any order: who gets which process, and who has to answer for its end.
 */
class ProcessPoolTest {

    private static final int STEPS = 400;
    private static final int IDLE_MAX = 2;
    private static final int SUSPENDED_MAX = 3;
    private static final int RUNNING_MAX = 4;
    private static final Host.Kind PLAIN = new Host.Kind(List.of(), 0);
    private static final Host.Kind OTHER = new Host.Kind(List.of(ByteString.copyFromUtf8("other")), 0);
    private static final Host.Kind LARGE = new Host.Kind(List.of(), 1 << 20);

    /** A process that ends when it is told to. */
    private static final class ToldProcess implements HostProcess {
        private final List<Runnable> whenGone = new ArrayList<>();
        private boolean alive = true;

        void die() {
            alive = false;
            whenGone.forEach(Runnable::run);
        }

        @Override
        public ProcessAttempt open(LogOwner future) {
            throw new IllegalStateException("Nothing is run here");
        }

        @Override
        public void whenGone(Runnable action) {
            whenGone.add(action);
        }

        @Override
        public boolean isAlive() {
            return alive;
        }

        @Override
        public void terminate() {
            die();
        }

        @Override
        public void kill() {
            die();
        }

        @Override
        public int end(long graceMillis) {
            die();
            return 0;
        }

        @Override
        public boolean isExhausted() {
            return false;
        }
    }

    /** What the test knows of an attempt. */
    private static final class Attempt {
        private final Host.Kind kind;
        private final Host.Guest guest;
        private boolean suspended;
        private boolean told;

        Attempt(Host.Kind kind, Host.Guest guest) {
            this.kind = kind;
            this.guest = guest;
        }

        Host host() {
            return guest.host();
        }

        boolean runs() {
            return !suspended;
        }
    }

    private final ProcessPool pool = new ProcessPool(IDLE_MAX, SUSPENDED_MAX);
    private final List<Attempt> attempts = new ArrayList<>();
    private final Set<Host> hosts = new HashSet<>();
    private final Set<Host> retired = new HashSet<>();
    private final Map<Host, ToldProcess> processes = new HashMap<>();

    private List<Attempt> in(Host host) {
        return attempts.stream().filter(attempt -> attempt.host() == host).toList();
    }

    private Attempt begin(Host.Kind kind) throws IOException {
        Optional<Host.Guest> place = pool.take(kind);
        if (place.isEmpty()) {
            assertThat(hosts)
                    .as("a process is started only where none that is free would do")
                    .noneMatch(host -> host.kind().equals(kind) && pool.idle().contains(host));
            ToldProcess process = new ToldProcess();
            Host host = new Host(kind, process);
            hosts.add(host);
            processes.put(host, process);
            place = Optional.of(pool.add(host));
        }
        Attempt attempt = new Attempt(kind, place.get());
        assertThat(retired).as("processes that nobody is to have").doesNotContain(attempt.host());
        assertThat(place.get().isHosted()).isEqualTo(!in(attempt.host()).isEmpty());
        attempts.add(attempt);
        return attempt;
    }

    private void end(Attempt attempt, boolean byItself) {
        attempts.remove(attempt);
        pool.giveBack(attempt.guest, byItself).ifPresent(host -> {
            assertThat(in(host)).as("who is in a process that is to be ended").isEmpty();
            retired.add(host);
            processes.get(host).die();
            pool.forget(host);
        });
    }

    /** Ends a process while attempts are in it; each of them learns whether it has to answer for that. */
    private void endProcess(Host host, Optional<Attempt> culprit) {
        List<Attempt> there = in(host);
        Set<Attempt> answerable = new HashSet<>();
        culprit.ifPresentOrElse(
                answerable::add, () -> there.stream().filter(Attempt::runs).forEach(answerable::add));
        if (answerable.isEmpty()) {
            answerable.addAll(there);
        }
        culprit.ifPresent(one -> one.guest.spoil());
        processes.get(host).die();
        assertThat(there).allSatisfy(attempt -> assertThat(attempt.guest.isDisplaced())
                .isEqualTo(!answerable.contains(attempt)));
        there.forEach(attempt -> end(attempt, false));
        assertThat(pool.idle().contains(host)).isFalse();
    }

    private void check() {
        for (Host host : hosts) {
            List<Attempt> there = in(host);
            assertThat(there.stream().filter(attempt -> attempt.runs() && !attempt.told))
                    .as("attempts that run in one process")
                    .hasSizeLessThanOrEqualTo(1);
            assertThat(there).allMatch(attempt -> attempt.kind.equals(host.kind()));
            assertThat(there.size()).isLessThanOrEqualTo(host.kind().heapBytes() > 0 ? 1 : Integer.MAX_VALUE);
            assertThat(pool.idle().contains(host) && !there.isEmpty()).isFalse();
        }
        assertThat(pool.idle()).hasSizeLessThanOrEqualTo(IDLE_MAX);
        for (Host.Kind kind : List.of(PLAIN, OTHER)) {
            assertThat(hosts.stream().filter(host -> host.kind().equals(kind) && !retired.contains(host)))
                    .as("processes of a kind: as many as may wait for others before they are shared, and as may run")
                    .hasSizeLessThanOrEqualTo(SUSPENDED_MAX + RUNNING_MAX);
        }
    }

    private Optional<Attempt> any(Random random, List<Attempt> some) {
        return some.isEmpty() ? Optional.empty() : Optional.of(some.get(random.nextInt(some.size())));
    }

    private void step(Random random) throws IOException {
        List<Attempt> running = attempts.stream().filter(Attempt::runs).toList();
        List<Attempt> suspended =
                attempts.stream().filter(attempt -> attempt.suspended).toList();
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> {
                if (running.size() < RUNNING_MAX) {
                    begin(List.of(PLAIN, PLAIN, PLAIN, OTHER, LARGE).get(random.nextInt(5)));
                }
            }
            case 4, 5 ->
                any(random, running).ifPresent(attempt -> {
                    attempt.guest.suspend();
                    attempt.suspended = true;
                });
            case 6 ->
                any(random, suspended.stream().filter(this::mayGoOn).toList()).ifPresent(this::goOn);
            case 7 ->
                any(random, suspended).ifPresent(attempt -> {
                    attempt.told = true;
                    goOn(attempt);
                });
            case 8 -> any(random, running).ifPresent(attempt -> end(attempt, !attempt.told));
            default -> {
                if (random.nextInt(4) == 0) {
                    any(random, attempts)
                            .ifPresent(attempt ->
                                    endProcess(attempt.host(), attempt.told ? Optional.of(attempt) : Optional.empty()));
                }
            }
        }
    }

    /** Whether it has not to wait until others of its process end or wait, which a test of one thread can not do. */
    private boolean mayGoOn(Attempt attempt) {
        return in(attempt.host()).stream().noneMatch(other -> other.runs() && !other.told)
                && attempts.stream().filter(Attempt::runs).count() < RUNNING_MAX;
    }

    private void goOn(Attempt attempt) {
        attempt.guest.resume(attempt.told);
        attempt.suspended = false;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void whateverHappensOneRunsInAProcessAndEachEndCountsForSomebody(long seed) throws IOException {
        Random random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            step(random);
            check();
        }
        while (!attempts.isEmpty()) {
            end(attempts.get(random.nextInt(attempts.size())), true);
            check();
        }

        Set<Host> left = new HashSet<>(hosts);
        left.removeAll(retired);
        assertThat(pool.close()).containsExactlyInAnyOrderElementsOf(left);
        assertThat(left).allMatch(host -> processes.get(host).isAlive() && host.size() == 0);
    }

    @Test
    void aProcessWhoseAttemptWasToldToEndIsForNobodyElse() throws IOException {
        Attempt first = begin(PLAIN);
        first.told = true;
        end(first, false);

        assertThat(begin(PLAIN).host()).isNotSameAs(first.host());
    }

    @Test
    void aProcessThatWasUsedSinceTheLastLookIsNotRetired() throws IOException {
        Attempt first = begin(PLAIN);
        Host host = first.host();
        assertThat(pool.idle()).isEmpty();
        end(first, true);
        assertThat(pool.idle()).containsExactly(host);
        assertThat(pool.retireUnused()).as("at the first look").isEmpty();
        end(begin(PLAIN), true);

        assertThat(pool.retireUnused()).as("used since").isEmpty();
        assertThat(pool.retireUnused()).as("not used since").containsExactly(host);
        assertThat(pool.idle()).isEmpty();
        assertThat(begin(PLAIN).host()).isNotSameAs(host);
    }

    @Test
    void whoEndsLetsNobodyIn() throws IOException {
        Attempt first = begin(PLAIN);
        assertThat(pool.close()).containsExactly(first.host());

        assertThatThrownBy(() -> pool.add(new Host(PLAIN, new ToldProcess()))).hasMessageContaining("the worker ends");
        assertThat(pool.giveBack(first.guest, true)).contains(first.host());
    }
}
