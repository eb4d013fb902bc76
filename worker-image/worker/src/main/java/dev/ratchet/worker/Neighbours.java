/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.membership.Member;
import dev.ratchet.membership.SeatWatch;
import dev.ratchet.protocol.security.Identity;
import io.grpc.Attributes;
import io.grpc.ConnectivityState;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.ServerTransportFilter;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a connection open to the next {@value #COUNT} seats in the order of their names, the first after the last, and
 * has a seat probed the moment a connection to or from it breaks: the kernel closes those of a killed process at once,
 * while its beat is missed seconds later. As everybody is watched by as many, connections grow with the workers and not
 * with their square. Both ends watch, because nobody knows of a worker as early as the worker itself: it is watched by
 * those it connects to before they have read of it. Owns no truth: a broken connection is a reason to look, and what a
 * look finds is membership's. Safe for use by several threads.
 */
final class Neighbours {

    static final int COUNT = 2;

    private static final Attributes.Key<String> SEAT = Attributes.Key.create("ratchet-seat");

    private final String ownSeat;
    private final SeatWatch liveness;
    private final Function<Member, ManagedChannel> channels;
    private final Map<String, Watched> watched = new ConcurrentHashMap<>();
    private volatile boolean stopped;

    /** One life of a seat at one address. */
    private record Watched(String seat, long incarnation, String address, ManagedChannel channel) {}

    /** @param channels the connection to a seat; the same at each call while it is of use */
    Neighbours(String ownSeat, SeatWatch liveness, Function<Member, ManagedChannel> channels) {
        this.ownSeat = ownSeat;
        this.liveness = liveness;
        this.channels = channels;
    }

    /** Watches until {@link #stop}; who the neighbours are is known from each read of the seats. */
    void start() {
        liveness.onRead(members -> look());
        look();
    }

    /** To be told of the connections that are opened to this worker, each proved by its certificate. */
    ServerTransportFilter incoming() {
        return new ServerTransportFilter() {
            @Override
            public Attributes transportReady(Attributes connection) {
                return worker(connection.get(Grpc.TRANSPORT_ATTR_SSL_SESSION))
                        .map(seat -> connection.toBuilder().set(SEAT, seat).build())
                        .orElse(connection);
            }

            @Override
            public void transportTerminated(@Nullable Attributes connection) {
                String seat = connection == null ? null : connection.get(SEAT);
                if (seat != null && !stopped) {
                    liveness.suspectHolder(seat);
                }
            }
        };
    }

    private static Optional<String> worker(@Nullable SSLSession session) {
        try {
            return Optional.ofNullable(session == null ? null : session.getPeerCertificates()[0])
                    .flatMap(certificate -> Identity.of((X509Certificate) certificate))
                    .filter(identity -> identity.kind() == Identity.Kind.WORKER)
                    .map(Identity::name);
        } catch (SSLPeerUnverifiedException nobody) {
            return Optional.empty();
        }
    }

    void stop() {
        stopped = true;
        watched.clear();
    }

    private void look() {
        if (stopped) {
            return;
        }
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
    static List<Member> next(String ownSeat, SeatWatch liveness) {
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
