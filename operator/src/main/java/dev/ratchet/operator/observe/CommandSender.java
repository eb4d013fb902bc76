/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import dev.ratchet.operator.observe.Commands.Commit;
import dev.ratchet.operator.observe.Commands.Raise;
import dev.ratchet.protocol.coordinator.v1.CommitLayoutReply;
import dev.ratchet.protocol.coordinator.v1.CommitLayoutRequest;
import dev.ratchet.protocol.coordinator.v1.CoordinatorGrpc;
import dev.ratchet.protocol.coordinator.v1.Layout;
import dev.ratchet.protocol.coordinator.v1.RaiseFormatReply;
import dev.ratchet.protocol.coordinator.v1.RaiseFormatRequest;
import dev.ratchet.protocol.coordinator.v1.SetDrainingReply;
import dev.ratchet.protocol.coordinator.v1.SetDrainingRequest;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns what is sent over one connection to a coordinator. One call at a time; what is wanted is compared with what was
 * done, so a lost answer leads to the same call again. Lives as long as the connection, so a new coordinator is told
 * everything once.
 */
final class CommandSender {
    private static final Logger LOG = LoggerFactory.getLogger(CommandSender.class);
    private static final long DEADLINE_SECONDS = 5;
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ClusterKey cluster;
    private final CoordinatorGrpc.CoordinatorStub stub;
    private final Runnable changed;
    private boolean busy;
    private long notBeforeNanos;
    private @Nullable Draining told;

    private record Draining(Set<String> seats, Set<String> outgoing, Map<String, Long> parking, long timeoutMillis) {}

    CommandSender(ClusterKey cluster, Channel channel, Runnable changed) {
        this.cluster = cluster;
        this.stub = CoordinatorGrpc.newStub(channel);
        this.changed = changed;
        this.notBeforeNanos = System.nanoTime();
    }

    /** Sends what is wanted and not done yet, if no call is under way. */
    synchronized void send(Commands wanted, CoordinatorReport clusterReport, long now) {
        if (busy || now - notBeforeNanos < 0) {
            return;
        }
        Draining draining =
                new Draining(wanted.draining(), wanted.outgoing(), wanted.parking(), wanted.drainTimeoutMillis());
        Commit commit = wanted.commit().orElse(null);
        Raise raise = wanted.raise().orElse(null);
        if (!wanted.equals(Commands.NONE) && !draining.equals(told)) {
            setDraining(draining, now);
        } else if (commit != null && clusterReport.layout().epoch() == commit.fromEpoch()) {
            commit(commit, now);
        } else if (raise != null && clusterReport.storeFormat() < raise.level()) {
            raise(raise, now);
        }
    }

    private void raise(Raise raise, long now) {
        begin(now);
        RaiseFormatRequest request = RaiseFormatRequest.newBuilder()
                .setStoreId(raise.storeId())
                .setLevel(raise.level())
                .build();
        stub.withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)
                .raiseFormat(request, new Answer<RaiseFormatReply>("raise format") {
                    @Override
                    void answered(RaiseFormatReply reply) {
                        LOG.info("cluster {}: recorded formats are of level {}", cluster, reply.getLevel());
                        changed.run();
                    }
                });
    }

    private void setDraining(Draining draining, long now) {
        begin(now);
        SetDrainingRequest request = SetDrainingRequest.newBuilder()
                .addAllSeats(new TreeSet<>(draining.seats()))
                .setDrainTimeoutMillis(draining.timeoutMillis())
                .addAllOutgoing(new TreeSet<>(draining.outgoing()))
                .putAllParking(draining.parking())
                .build();
        stub.withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)
                .setDraining(request, new Answer<SetDrainingReply>("set draining") {
                    @Override
                    void answered(SetDrainingReply reply) {
                        told = draining;
                    }
                });
    }

    private void commit(Commit commit, long now) {
        begin(now);
        CommitLayoutRequest request = CommitLayoutRequest.newBuilder()
                .setFromEpoch(commit.fromEpoch())
                .setLayout(Layout.newBuilder()
                        .setEpoch(commit.epoch())
                        .setDigest(commit.digest())
                        .addAllSeats(new TreeSet<>(commit.seats())))
                .build();
        stub.withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)
                .commitLayout(request, new Answer<CommitLayoutReply>("commit layout") {
                    @Override
                    void answered(CommitLayoutReply reply) {
                        LOG.info(
                                "cluster {}: layout epoch {} committed={}, in force {}",
                                cluster,
                                commit.epoch(),
                                reply.getCommitted(),
                                reply.getInForce().getEpoch());
                        changed.run();
                    }
                });
    }

    private void begin(long now) {
        busy = true;
        notBeforeNanos = now + PAUSE_NANOS;
    }

    private abstract class Answer<T> implements StreamObserver<T> {
        private final String what;

        private Answer(String what) {
            this.what = what;
        }

        abstract void answered(T reply);

        @Override
        public void onNext(T reply) {
            synchronized (CommandSender.this) {
                answered(reply);
            }
        }

        @Override
        public void onError(Throwable failure) {
            LOG.info("cluster {}: {} failed and will be repeated: {}", cluster, what, Status.fromThrowable(failure));
            done();
        }

        @Override
        public void onCompleted() {
            done();
        }

        private void done() {
            synchronized (CommandSender.this) {
                busy = false;
            }
        }
    }
}
