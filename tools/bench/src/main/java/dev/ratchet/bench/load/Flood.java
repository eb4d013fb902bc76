/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import dev.ratchet.bench.cluster.Cluster;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.ListReply;
import dev.ratchet.protocol.client.v1.ListRequest;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A client with a certificate of its own that lists futures again and again, more at once than it may have open. */
final class Flood implements Runnable {

    static final String CLIENT = "flood";
    /** Above what a worker of this heap lets one client have open, over so many connections as that takes. */
    private static final int OPEN = 6_000;

    private static final int CONNECTIONS = 2;

    private final Cluster cluster;
    private final int worker;
    private final long millis;

    Flood(Cluster cluster, int worker, long millis) {
        this.cluster = cluster;
        this.worker = worker;
        this.millis = millis;
    }

    /** Until the time is over, or this thread is interrupted. */
    @Override
    public void run() {
        long began = System.nanoTime();
        Semaphore open = new Semaphore(OPEN);
        ManagedChannel[] channels = new ManagedChannel[CONNECTIONS];
        for (int i = 0; i < CONNECTIONS; i++) {
            channels[i] = cluster.channel(worker, CLIENT);
        }
        try {
            for (int call = 0; System.nanoTime() - began < TimeUnit.MILLISECONDS.toNanos(millis); call++) {
                if (open.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
                    GatewayGrpc.newStub(channels[call % CONNECTIONS])
                            .list(ListRequest.getDefaultInstance(), new Answer(open));
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } finally {
            for (ManagedChannel channel : channels) {
                channel.shutdownNow();
            }
        }
    }

    /** Whatever comes makes room for another call. */
    private record Answer(Semaphore open) implements StreamObserver<ListReply> {
        @Override
        public void onNext(ListReply reply) {}

        @Override
        public void onError(Throwable refused) {
            open.release();
        }

        @Override
        public void onCompleted() {
            open.release();
        }
    }
}
