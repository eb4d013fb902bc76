/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.environment.Environment;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.HelloReply;
import dev.ratchet.protocol.client.v1.HelloRequest;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Looks once for a worker that answers: greets the endpoints in their order, each a moment after the one before or as
 * soon as that has failed, and keeps the first channel whose worker greets back. So an address that swallows packets
 * costs a quarter of a second, and not the minutes until TCP gives up.
 */
final class EndpointRace {

    private static final long HEAD_START_MILLIS = 250;
    private static final long ANSWER_MILLIS_MAX = 10_000;

    private final List<String> endpoints;
    private final Function<String, ManagedChannel> dialer;
    private final HelloRequest greeting;
    private final Environment environment;
    private final CompletableFuture<ManagedChannel> winner = new CompletableFuture<>();
    private final Set<ManagedChannel> running = new HashSet<>();
    private int next;
    private int failures;
    private @Nullable Throwable worst;

    EndpointRace(
            List<String> endpoints,
            Function<String, ManagedChannel> dialer,
            HelloRequest greeting,
            Environment environment) {
        this.endpoints = endpoints;
        this.dialer = dialer;
        this.greeting = greeting;
        this.environment = environment;
    }

    /** The first channel that answers; fails when all have failed, with a refusal rather than with silence. */
    CompletableFuture<ManagedChannel> start() {
        dial(0);
        return winner;
    }

    private void dial(int number) {
        synchronized (this) {
            if (winner.isDone() || number != next || number >= endpoints.size()) {
                return;
            }
            next++;
        }
        try {
            greet(number);
        } catch (RuntimeException | Error unusable) {
            failed(unusable);
            dial(number + 1);
        }
    }

    private void greet(int number) {
        ManagedChannel channel = dialer.apply(endpoints.get(number));
        synchronized (this) {
            running.add(channel);
        }
        try {
            GatewayGrpc.newStub(channel)
                    .withDeadlineAfter(ANSWER_MILLIS_MAX, TimeUnit.MILLISECONDS)
                    .hello(greeting, new Greeted(channel, number));
        } catch (RuntimeException | Error unusable) {
            lost(channel, unusable);
        }
        var unused = environment.schedule(HEAD_START_MILLIS, () -> dial(number + 1));
    }

    private final class Greeted implements StreamObserver<HelloReply> {

        private final ManagedChannel channel;
        private final int number;

        Greeted(ManagedChannel channel, int number) {
            this.channel = channel;
            this.number = number;
        }

        @Override
        public void onNext(HelloReply reply) {
            won(channel);
        }

        @Override
        public void onError(Throwable failure) {
            lost(channel, failure);
            dial(number + 1);
        }

        @Override
        public void onCompleted() {
            // What matters has come with the reply.
        }
    }

    private void won(ManagedChannel channel) {
        List<ManagedChannel> others;
        synchronized (this) {
            if (!running.remove(channel)) {
                return;
            }
            others = new ArrayList<>(running);
            running.clear();
            next = endpoints.size();
        }
        others.forEach(ManagedChannel::shutdownNow);
        winner.complete(channel);
    }

    private void lost(ManagedChannel channel, Throwable failure) {
        synchronized (this) {
            if (!running.remove(channel)) {
                return;
            }
        }
        channel.shutdownNow();
        failed(failure);
    }

    private void failed(Throwable failure) {
        Throwable reason = null;
        synchronized (this) {
            if (worst == null || GatewayConnection.weight(worst) < GatewayConnection.weight(failure)) {
                worst = failure;
            }
            if (++failures == endpoints.size()) {
                reason = worst;
            }
        }
        if (reason != null) {
            winner.completeExceptionally(reason);
        }
    }
}
