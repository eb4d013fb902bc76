/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import dev.ratchet.protocol.coordinator.v1.ClusterReport;
import dev.ratchet.protocol.coordinator.v1.CoordinatorGrpc;
import dev.ratchet.protocol.coordinator.v1.WatchRequest;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.TransportSecurity;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the conversation with the coordinator of one cluster: one connection at a time, to any worker first and to the
 * coordinator as soon as it is named. Invariant: the report that is given out is the newest by (term, seq) and not
 * older than {@link #STALE_NANOS}. A connection that fails is tried again elsewhere with growing delays; nothing here
 * ever waits.
 */
final class CoordinatorLink {
    private static final Logger LOG = LoggerFactory.getLogger(CoordinatorLink.class);

    /** A coordinator speaks at least every 5 s: three missed and it counts as gone. */
    private static final long STALE_NANOS = TimeUnit.SECONDS.toNanos(15);

    /** Slots that sessions hold change all the time: whoever looks at the status sees them that old. */
    private static final long SLOTS_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final long RETRY_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long RETRY_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);
    private static final long RETRY_DOUBLINGS_MAX = 5;

    private final ClusterKey cluster;
    private final Executor executor;
    private final LongSupplier nanoClock;
    private final Runnable changed;

    private List<Endpoint> endpoints = List.of();
    private @Nullable TransportSecurity security;
    private Commands commands = Commands.NONE;
    private @Nullable Connection connection;
    private @Nullable Endpoint redirect;
    private @Nullable CoordinatorReport clusterReport;
    private long heardNanos;
    /** The report that was the latest when news were told last, and when that was. */
    private @Nullable CoordinatorReport told;

    private long toldNanos;
    private boolean stale = true;
    private long retryNanos;
    private long failures;
    private int next;

    CoordinatorLink(ClusterKey cluster, Executor executor, LongSupplier nanoClock, Runnable changed) {
        this.cluster = cluster;
        this.executor = executor;
        this.nanoClock = nanoClock;
        this.changed = changed;
        this.retryNanos = nanoClock.getAsLong();
    }

    synchronized Optional<CoordinatorReport> clusterReport() {
        boolean fresh = clusterReport != null && nanoClock.getAsLong() - heardNanos <= STALE_NANOS;
        return fresh ? Optional.ofNullable(clusterReport) : Optional.empty();
    }

    synchronized void update(List<Endpoint> reachable, TransportSecurity newSecurity, Commands wanted) {
        if (security != newSecurity && connection != null) {
            disconnect();
        }
        if (!reachable.equals(endpoints)) {
            retryNanos = nanoClock.getAsLong();
            failures = 0;
            next = 0;
        }
        endpoints = List.copyOf(reachable);
        security = newSecurity;
        commands = wanted;
        tick();
    }

    /** Goes on where something is due. Called often. */
    synchronized void tick() {
        long now = nanoClock.getAsLong();
        if (!stale && now - heardNanos > STALE_NANOS) {
            stale = true;
            LOG.warn("coordinator of {} was not heard for {} s", cluster, TimeUnit.NANOSECONDS.toSeconds(STALE_NANOS));
            disconnect();
            changed.run();
        }
        if (clusterReport != null
                && told != null
                && now - toldNanos >= SLOTS_NANOS
                && Material.slotsDiffer(told, clusterReport)) {
            tell(clusterReport);
        }
        Connection open = connection;
        if (open != null) {
            if (clusterReport != null && !stale) {
                open.sender.send(commands, clusterReport, now);
            } else if (now - open.openedNanos > STALE_NANOS) {
                failed(open, "no report came");
            }
        } else if (now - retryNanos >= 0) {
            connect(now);
        }
    }

    synchronized void close() {
        disconnect();
        endpoints = List.of();
    }

    private void connect(long now) {
        TransportSecurity credentials = security;
        Endpoint target = redirect;
        redirect = null;
        if (target == null && !endpoints.isEmpty()) {
            target = endpoints.get(Math.floorMod(next++, endpoints.size()));
        }
        if (target == null || credentials == null) {
            return;
        }
        ManagedChannel channel = credentials
                .channelBuilder(target.address(), Identity.authority(target.seat(), cluster.namespace()))
                .executor(executor)
                .build();
        Connection opened = new Connection(target, channel, new CommandSender(cluster, channel, changed), now);
        connection = opened;
        CoordinatorGrpc.newStub(channel)
                .watch(
                        WatchRequest.newBuilder()
                                .setCluster(cluster.name())
                                .setNamespace(cluster.namespace())
                                .build(),
                        new Listener(opened));
    }

    private synchronized void heard(Connection from, ClusterReport said) {
        if (connection != from) {
            return;
        }
        if (said.getRedirect()) {
            Endpoint named = new Endpoint(said.getCoordinatorSeat(), said.getCoordinatorAddress());
            boolean useful = !named.address().isEmpty() && !named.equals(from.endpoint);
            failed(from, "not the coordinator");
            if (useful && failures <= 2) {
                redirect = named;
                retryNanos = nanoClock.getAsLong();
                tick();
            }
            return;
        }
        CoordinatorReport report = CoordinatorReport.of(said);
        CoordinatorReport before = clusterReport;
        if (before != null && report.isOlderThan(before)) {
            return;
        }
        boolean news = stale || before == null || Material.differs(before, report);
        clusterReport = report;
        heardNanos = nanoClock.getAsLong();
        stale = false;
        failures = 0;
        if (news) {
            tell(report);
        }
        tick();
    }

    private void tell(CoordinatorReport latest) {
        told = latest;
        toldNanos = nanoClock.getAsLong();
        changed.run();
    }

    private synchronized void ended(Connection from, String reason) {
        if (connection == from) {
            failed(from, reason);
        }
    }

    private void failed(Connection from, String reason) {
        LOG.debug("link to {} at {} ended: {}", from.endpoint.seat(), from.endpoint.address(), reason);
        disconnect();
        long delay = Math.min(RETRY_NANOS_MAX, RETRY_NANOS_MIN << Math.min(failures, RETRY_DOUBLINGS_MAX));
        failures++;
        retryNanos = nanoClock.getAsLong() + delay;
    }

    private void disconnect() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            open.channel.shutdownNow();
        }
    }

    /** One attempt; told apart by identity, because a late word of an old one must not be taken for the new one's. */
    private static final class Connection {
        private final Endpoint endpoint;
        private final ManagedChannel channel;
        private final CommandSender sender;
        private final long openedNanos;

        private Connection(Endpoint endpoint, ManagedChannel channel, CommandSender sender, long openedNanos) {
            this.endpoint = endpoint;
            this.channel = channel;
            this.sender = sender;
            this.openedNanos = openedNanos;
        }
    }

    private final class Listener implements StreamObserver<ClusterReport> {
        private final Connection from;

        private Listener(Connection from) {
            this.from = from;
        }

        @Override
        public void onNext(ClusterReport said) {
            heard(from, said);
        }

        @Override
        public void onError(Throwable failure) {
            ended(from, Status.fromThrowable(failure).toString());
        }

        @Override
        public void onCompleted() {
            ended(from, "completed");
        }
    }
}
