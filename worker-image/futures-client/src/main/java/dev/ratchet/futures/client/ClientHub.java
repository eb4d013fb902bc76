/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.RatchetException;
import dev.ratchet.environment.Environment;
import dev.ratchet.futures.code.ResultReader;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * One connection with what is on its way through it: submits, outcomes, values. Serves one program, or all tasks of one
 * worker. Safe for use by several threads.
 */
public final class ClientHub {

    /** A lease is over by itself soon after: not worth a longer wait. */
    private static final Duration LEASE_END_LIMIT = Duration.ofSeconds(2);

    private final GatewayConnection connection;
    private final Duration closeTimeout;
    private final Completions completions;
    private final Submitter submitter;
    private final ClientLease lease;
    private final SessionAsks sessions;
    /** The values that are on their way by themselves. */
    private final Map<FutureId, CompletableFuture<Void>> uploads = new ConcurrentHashMap<>();

    /**
     * One of a worker's tasks: what they submit is sent when they wait, which is when their slots are free for it.
     *
     * @param closeTimeout how long closing waits for what was submitted to be recorded
     */
    public ClientHub(GatewayConnection connection, Duration closeTimeout) {
        this(connection, closeTimeout, ResultReader.OF_TASKS, false);
    }

    private ClientHub(GatewayConnection connection, Duration closeTimeout, ResultReader results, boolean callersSend) {
        this.connection = connection;
        this.closeTimeout = closeTimeout;
        this.completions = new Completions(connection, results);
        this.lease = new ClientLease(connection);
        this.sessions = new SessionAsks(connection);
        this.submitter = new Submitter(connection, completions, callersSend);
        completions.onDemand(submitter::hurry);
    }

    /** One of a program; as {@link #ClientHub}. */
    static ClientHub ofProgram(GatewayConnection connection, Duration closeTimeout, ResultReader results) {
        return new ClientHub(connection, closeTimeout, results, true);
    }

    /** The cluster in the name of one caller, whose code the cluster has. Closing that has no effect. */
    public Ratchet of(Caller caller, List<ByteString> artifacts) {
        return new RemoteRatchet(this, Shipping.present(artifacts), caller);
    }

    void submit(PendingSubmit pending, RemoteFuture<?> future) {
        completions.expect(future);
        pending.submitted().whenComplete((done, failure) -> {
            if (failure != null) {
                completions.forget(future);
            }
        });
        PendingSubmit whole = pending;
        for (ByteString upstream : pending.future().getUpstreamsList()) {
            CompletableFuture<Void> upload = uploads.get(Ids.of(upstream));
            if (upload != null) {
                whole = whole.after(upload);
            }
        }
        submitter.submit(whole);
    }

    /** As {@link Submitter#submit(TaskPackaging.Common, SubmittedFunction, ByteString, Caller, ClassLoader)}. */
    <T> RemoteFuture<T> submit(
            TaskPackaging.Common common,
            SubmittedFunction function,
            ByteString argument,
            Caller caller,
            ClassLoader classes) {
        return submitter.submit(common, function, argument, caller, classes);
    }

    /** Counts the upload of a value among what {@link #flushed} waits for. */
    void uploading(FutureId id, CompletableFuture<Void> recorded) {
        uploads.put(id, recorded);
        recorded.whenComplete((done, failure) -> uploads.remove(id));
    }

    /** Completes when what was submitted or put so far is recorded or refused. */
    CompletableFuture<Void> flushed() {
        return CompletableFuture.allOf(Stream.concat(
                        Stream.of(submitter.flushed()),
                        uploads.values().stream().map(recorded -> recorded.handle((done, failure) -> true)))
                .toArray(CompletableFuture[]::new));
    }

    ClientLease lease() {
        return lease;
    }

    /** What callers ask of sessions. */
    SessionAsks sessions() {
        return sessions;
    }

    /** The connection itself. */
    public GatewayConnection connection() {
        return connection;
    }

    Environment environment() {
        return connection.environment();
    }

    Completions completions() {
        return completions;
    }

    /** Waits until what was submitted is recorded, then disconnects; {@code owned} is closed last. */
    void close(AutoCloseable owned) {
        try {
            var unused = flushed().get(closeTimeout.toNanos(), TimeUnit.NANOSECONDS);
            lease.end(closeTimeout.compareTo(LEASE_END_LIMIT) < 0 ? closeTimeout : LEASE_END_LIMIT);
        } catch (TimeoutException | ExecutionException unrecorded) {
            throw new RatchetException(
                    "Disconnected before everything was recorded: the futures whose submitted() has not completed may"
                            + " be lost.",
                    unrecorded);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            connection.close();
            completions.end(connection.closedFailure());
            close(owned, "The connection's threads could not be stopped");
        }
    }

    private static void close(AutoCloseable owned, String problem) {
        try {
            owned.close();
        } catch (Exception failure) {
            throw new RatchetException(problem, failure);
        }
    }
}
