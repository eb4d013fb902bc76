/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.service;

import dev.ratchet.membership.coordinator.ClusterReportStream;
import dev.ratchet.membership.coordinator.Coordinator;
import dev.ratchet.protocol.coordinator.v1.ClusterReport;
import io.grpc.stub.ServerCallStreamObserver;
import org.jspecify.annotations.Nullable;

/**
 * One watcher's stream. A watcher that reads slowly skips reports instead of having them queued: only the newest waits
 * for it.
 */
final class WatchStream implements ClusterReportStream.Subscriber {

    private final Coordinator coordinator;
    private final ServerCallStreamObserver<ClusterReport> responses;
    private @Nullable ClusterReport waiting;
    private boolean ended;

    WatchStream(Coordinator coordinator, ServerCallStreamObserver<ClusterReport> responses) {
        this.coordinator = coordinator;
        this.responses = responses;
    }

    void start() {
        responses.setOnReadyHandler(this::send);
        responses.setOnCancelHandler(this::cancelled);
        if (!coordinator.subscribe(this)) {
            end();
        }
    }

    @Override
    public synchronized void next(ClusterReport clusterReport) {
        waiting = clusterReport;
        send();
    }

    private synchronized void send() {
        if (!ended && waiting != null && responses.isReady()) {
            responses.onNext(waiting);
            waiting = null;
        }
    }

    @Override
    public synchronized void end() {
        if (!ended) {
            ended = true;
            responses.onNext(coordinator.redirect());
            responses.onCompleted();
        }
    }

    private void cancelled() {
        synchronized (this) {
            ended = true;
        }
        coordinator.unsubscribe(this);
    }
}
