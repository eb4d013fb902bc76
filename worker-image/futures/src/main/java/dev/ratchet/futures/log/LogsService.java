/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.log;

import dev.ratchet.protocol.logs.v1.LogPage;
import dev.ratchet.protocol.logs.v1.LogsGrpc;
import dev.ratchet.protocol.logs.v1.ReadLogsRequest;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;

/** Serves this worker's log ring to the other workers. */
public final class LogsService extends LogsGrpc.LogsImplBase {

    private final LogRing ring;

    public LogsService(LogRing ring) {
        this.ring = ring;
    }

    @Override
    public void read(ReadLogsRequest request, StreamObserver<LogPage> response) {
        LogPage page;
        try {
            page = ring.read(request);
        } catch (IOException | IllegalArgumentException unreadable) {
            response.onError(Status.INTERNAL
                    .withDescription("The log can not be read: " + unreadable.getMessage())
                    .asRuntimeException());
            return;
        }
        response.onNext(page);
        response.onCompleted();
    }
}
