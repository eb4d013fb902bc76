/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.store.environment.Environment;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Keeps a connection open to the next {@value #COUNT} seats in the order of their names, the first after the last, and
 * has a seat probed the moment its connection breaks: the kernel closes those of a killed process at once, while its
 * beat is missed seconds later. As everybody is watched by as many, connections grow with the workers and not with
 * their square. Owns no truth: a broken connection is a reason to look, and what a look finds is membership's. Safe for
 * use by several threads.
 */
final class Neighbours {

    static final int COUNT = 2;

    private static final long LOOK_MILLIS = 1_000;

    private final String ownSeat;
    private final Liveness liveness;
    private final Function<Member, ManagedChannel> channels;
    private final Environment environment;
    private final Map<String, Watched> watched = new ConcurrentHashMap<>();
    private volatile boolean stopped;

    /** One life of a seat at one address. */
    private record Watched(String seat, long incarnation, String address, ManagedChannel channel) {}

    /** @param channels the connection to a seat; the same at each call while it is of use */
    Neighbours(String ownSeat, Liveness liveness, Function<Member, ManagedChannel> channels, Environment environment) {
        this.ownSeat = ownSeat;
        this.liveness = liveness;
        this.channels = channels;
        this.environment = environment;
    }

    /** Watches until {@link #stop}; who the neighbours are is looked up each second. */
    void start() {
        if (stopped) {
            return;
        }
        look();
        var unused = environment.schedule(LOOK_MILLIS, this::start);
    }

    void stop() {
        stopped = true;
        watched.clear();
    }

    private void look() {
        List<Member> next = next(ownSeat, liveness);
        watched.keySet().retainAll(next.stream().map(Member::seat).toList());
        for (Member member : next) {
            Watched present =
                    new Watched(member.seat(), member.incarnation(), member.address(), channels.apply(member));
            if (!present.equals(watched.put(member.seat(), present))) {
                watch(present, ConnectivityState.IDLE);
            }
        }
    }

    /** Those that come after a seat, of the others that are not known to be dead. */
    static List<Member> next(String ownSeat, Liveness liveness) {
        List<Member> alive = liveness.latest().stream()
                .filter(member -> member.isPresent()
                        && !member.seat().equals(ownSeat)
                        && !liveness.isDead(member.seat(), member.incarnation()))
                .sorted(Comparator.comparing(Member::seat))
                .toList();
        List<Member> around = new ArrayList<>(alive);
        alive.stream().filter(member -> member.seat().compareTo(ownSeat) < 0).forEach(before -> {
            around.remove(before);
            around.add(before);
        });
        return around.subList(0, Math.min(COUNT, around.size()));
    }

    private void watch(Watched seat, ConnectivityState before) {
        if (stopped || !seat.equals(watched.get(seat.seat()))) {
            return;
        }
        ConnectivityState now = seat.channel().getState(true);
        boolean broken = before == ConnectivityState.READY && now != ConnectivityState.READY;
        if (broken || now == ConnectivityState.TRANSIENT_FAILURE) {
            liveness.suspect(seat.seat(), seat.incarnation());
        }
        if (now == ConnectivityState.SHUTDOWN) {
            watched.remove(seat.seat(), seat);
        } else {
            seat.channel().notifyWhenStateChanged(now, () -> watch(seat, now));
        }
    }
}
