/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import dev.ratchet.client.ViewRow;
import dev.ratchet.environment.Environment;
import dev.ratchet.futures.model.ViewRowCodec;
import dev.ratchet.protocol.client.v1.CompleteStep;
import dev.ratchet.protocol.client.v1.FollowViewReply;
import dev.ratchet.protocol.client.v1.ViewValues;
import dev.ratchet.protocol.client.v1.WeightedRow;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.TimeUnit;

/**
 * Sends what happens to a view to one client, in pieces of about 256 KiB, no faster than that takes them. A client that
 * takes nothing for a minute is told to come again.
 */
final class FollowStream implements ViewFollower {

    private static final long IDLE_MILLIS = 60_000;

    private final ServerCallStreamObserver<FollowViewReply> client;
    private final Environment environment;
    private final FollowViewReply.Builder piece = FollowViewReply.newBuilder();
    private int pieceBytes;
    private boolean hasColumns;
    private volatile boolean ended;

    /** To be made while the call begins. */
    FollowStream(ServerCallStreamObserver<FollowViewReply> client, Environment environment) {
        this.client = client;
        this.environment = environment;
        client.setOnReadyHandler(this::wake);
        client.setOnCancelHandler(() -> {
            ended = true;
            wake();
        });
    }

    private synchronized void wake() {
        notifyAll();
    }

    @Override
    public void beginSnapshot() {
        piece.clear().setSnapshot(true);
        pieceBytes = 0;
        hasColumns = false;
    }

    @Override
    public void row(ViewRow row, long weight) {
        ViewValues values = ViewRowCodec.encode(row);
        ViewCalls.requireSize(values.getSerializedSize());
        if (!hasColumns) {
            piece.addAllColumns(row.columns());
            hasColumns = true;
        }
        piece.addRows(WeightedRow.newBuilder().setValues(values).setWeight(weight));
        pieceBytes += values.getSerializedSize();
        if (pieceBytes >= ViewCalls.PIECE_BYTES) {
            send();
        }
    }

    @Override
    public void complete(long step, String position) {
        piece.setComplete(CompleteStep.newBuilder().setStep(step).setPosition(position));
        send();
    }

    @Override
    public boolean hasEnded() {
        return ended;
    }

    private void send() {
        awaitReady();
        client.onNext(piece.build());
        piece.clear();
        pieceBytes = 0;
    }

    private synchronized void awaitReady() {
        long deadline = environment.nanoTime() + TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS);
        while (!client.isReady() && !ended) {
            long millis = TimeUnit.NANOSECONDS.toMillis(deadline - environment.nanoTime());
            if (millis <= 0) {
                throw Status.UNAVAILABLE
                        .withDescription("The client has taken nothing for " + IDLE_MILLIS / 1_000 + " s")
                        .asRuntimeException();
            }
            try {
                wait(millis);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw Status.UNAVAILABLE.withDescription("The worker ends").asRuntimeException();
            }
        }
        if (ended) {
            throw Status.CANCELLED.withDescription("The client is gone").asRuntimeException();
        }
    }
}
