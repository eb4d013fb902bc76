/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.nesting;

import com.google.protobuf.ByteString;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.protocol.client.v1.ReportReply;
import dev.ratchet.protocol.client.v1.ReportRequest;
import dev.ratchet.protocol.logs.v1.TaskProgress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends how far an attempt says it is to its worker: one message at a time and a few per second, whatever is said in
 * between, the last word in any case. Never holds the task up, and never fails it. Safe for use by several threads.
 */
final class ProgressReports {

    private static final long PAUSE_MILLIS = 200;

    private final Supplier<GatewayConnection> connection;
    private final ByteString id;
    private final long epoch;
    private @Nullable TaskProgress next;
    private boolean sending;

    ProgressReports(Supplier<GatewayConnection> connection, ByteString id, long epoch) {
        this.connection = connection;
        this.id = id;
        this.epoch = epoch;
    }

    void say(TaskProgress progress) {
        synchronized (this) {
            next = progress;
            if (sending) {
                return;
            }
            sending = true;
        }
        send(connection.get());
    }

    private void send(GatewayConnection gateway) {
        ReportRequest.Builder request = ReportRequest.newBuilder().setId(id).setEpoch(epoch);
        synchronized (this) {
            TaskProgress progress = next;
            if (progress == null) {
                sending = false;
                return;
            }
            next = null;
            request.setProgress(progress);
        }
        ReportRequest report = request.build();
        gateway.<ReportReply>call((stub, answer) -> stub.report(report, answer)).whenComplete((done, failure) -> {
            var unused = gateway.environment().schedule(PAUSE_MILLIS, () -> send(gateway));
        });
    }
}
