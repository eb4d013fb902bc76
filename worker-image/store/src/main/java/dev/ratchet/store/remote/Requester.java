/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.remote;

import dev.ratchet.environment.Environment;
import dev.ratchet.environment.Turn;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.RefusedConnectionException;
import dev.ratchet.protocol.store.v1.Open;
import dev.ratchet.protocol.store.v1.Opened;
import dev.ratchet.protocol.store.v1.Response;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.EmbeddedFDBException;
import dev.ratchet.store.transaction.ErrorCode;
import dev.ratchet.store.wire.Requests;
import dev.ratchet.store.wire.Responses;
import dev.ratchet.store.wire.StoreProtocol;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows every request that is not answered, and keeps a {@link StreamAttempt} to the store for them. When a link breaks
 * it makes another after a growing pause, gives it everything that is pending, and settles the commits that were under
 * way: the store has ended the former session by then, so a commit that is not found will never land, and 1021 is
 * reported for it.
 */
final class Requester implements StreamAttempt.Owner {

    static final int PENDING = 100_000;
    static final long PENDING_BYTES = 128L << 20;

    /** FoundationDB's code for a caller who may not. */
    private static final int PERMISSION_DENIED = 6000;

    private static final int INCOMPATIBLE_PROTOCOL = 1109;
    private static final long FIRST_PAUSE_MILLIS = 50;
    /** A store that starts again is found within a quarter of a second; workers have ten until their leases end. */
    private static final long LONGEST_PAUSE_MILLIS = 250;
    /** Settle requests have ids of their own, out of the way of those that callers use. */
    private static final long FIRST_SETTLE_ID = 1L << 62;

    private static final String AWAY = "away";

    private static final Logger LOG = LoggerFactory.getLogger(Requester.class);

    private final Supplier<ManagedChannel> channels;
    private final Identity self;
    private final String release;
    private final Environment environment;
    private final long clientId;
    private final Map<Long, PendingRequest<?>> pending = new ConcurrentHashMap<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicLong settleIds = new AtomicLong(FIRST_SETTLE_ID);
    private final CompletableFuture<Long> firstOpened = new CompletableFuture<>();

    /** The link that is open, null between links. */
    private volatile @Nullable StreamAttempt open;
    /** Why every request fails, null while there is hope. */
    private volatile @Nullable EmbeddedFDBException refusal;

    private volatile boolean closed;
    /** Whether somebody learns from {@link #opened} why there is no session. */
    private volatile boolean awaited;
    /** Guarded by the lock of this object, with {@link #current}. */
    private long pauseMillis = FIRST_PAUSE_MILLIS;
    /** The link that is open or about to be. */
    private @Nullable StreamAttempt current;

    /** Why there is no session, as the log knows it; null while there is one. */
    private @Nullable String complaint;
    /** That of the store this process works with, 0 before the first session. */
    private long generation;

    Requester(Supplier<ManagedChannel> channels, Identity self, String release, Environment environment) {
        this.channels = channels;
        this.self = self;
        this.release = release;
        this.environment = environment;
        this.clientId = environment.random().nextLong();
    }

    long clientId() {
        return clientId;
    }

    /** As of {@link RemoteConnection#opened}. */
    CompletableFuture<Long> opened() {
        awaited = true;
        return firstOpened.copy();
    }

    /** Makes the next link. */
    void connect() {
        try {
            connectNow();
        } catch (RuntimeException | Error unexpected) {
            LOG.error("No way to the store can be made, trying again: as={}", self, unexpected);
            environment.schedule(LONGEST_PAUSE_MILLIS, this::connect);
        }
    }

    private void connectNow() {
        StreamAttempt next;
        synchronized (this) {
            if (closed) {
                return;
            }
            next = new StreamAttempt(channels.get(), this, environment);
            current = next;
        }
        next.begin(Open.newBuilder()
                .setProtocol(StoreProtocol.VERSION)
                .setOldestProtocol(StoreProtocol.OLDEST_VERSION)
                .setIdentity(self.uri())
                .setClientId(clientId)
                .setRelease(release)
                .build());
    }

    void submit(PendingRequest<?> request) {
        EmbeddedFDBException refused = refusal;
        if (refused != null) {
            request.answer.completeExceptionally(
                    new EmbeddedFDBException(String.valueOf(refused.getMessage()), refused.getCode()));
            return;
        }
        if (!enter(request)) {
            request.answer.completeExceptionally(new EmbeddedFDBException(
                    "More than " + PENDING + " requests or " + PENDING_BYTES + " bytes of them wait for the store",
                    ErrorCode.COMMIT_PROXY_MEMORY_LIMIT));
            return;
        }
        StreamAttempt link = open;
        if (link != null) {
            link.give(request);
        }
        if (closed) {
            fail(request, new EmbeddedFDBException(ErrorCode.TRANSACTION_CANCELLED));
        }
    }

    /** Counts a request as pending, unless too much is. Watches are limited by who makes them. */
    private boolean enter(PendingRequest<?> request) {
        if (!request.request.hasWatch()) {
            long bytes = waitingBytes.addAndGet(request.request.getSerializedSize());
            if (waiting.incrementAndGet() > PENDING || bytes > PENDING_BYTES) {
                leave(request);
                return false;
            }
        }
        pending.put(request.id(), request);
        return true;
    }

    /** As {@link #enter} without limit, for what takes the place of something counted before. */
    private void enterAnyway(PendingRequest<?> request) {
        waiting.incrementAndGet();
        waitingBytes.addAndGet(request.request.getSerializedSize());
        pending.put(request.id(), request);
    }

    private void leave(PendingRequest<?> request) {
        if (!request.request.hasWatch()) {
            waiting.decrementAndGet();
            waitingBytes.addAndGet(-request.request.getSerializedSize());
        }
    }

    /** The answer to a watch; cancelling it tells the store. */
    <T extends @Nullable Object> CompletableFuture<T> cancellable(PendingRequest<T> watch) {
        watch.answer.whenComplete((nothing, failure) -> {
            if (watch.answer.isCancelled() && pending.remove(watch.id(), watch)) {
                StreamAttempt link = open;
                if (link != null) {
                    link.cancel(watch.id());
                }
            }
        });
        return watch.answer;
    }

    @Override
    public void opened(StreamAttempt link, Opened opened) {
        if (!StoreProtocol.speaks(opened.getProtocol())) {
            link.end(Status.FAILED_PRECONDITION.withDescription(StoreProtocol.refusal(opened)));
            return;
        }
        boolean restored;
        synchronized (this) {
            if (closed || link != current) {
                return;
            }
            pauseMillis = FIRST_PAUSE_MILLIS;
            complaint = null;
            restored = generation != 0 && generation != opened.getGeneration();
            if (!restored) {
                generation = opened.getGeneration();
                refusal = null;
                open = link;
            }
        }
        if (restored) {
            refuse(new EmbeddedFDBException(
                    "The store was restored: it has generation " + opened.getGeneration()
                            + " now, another than when this process began, which must start again",
                    ErrorCode.OPERATION_FAILED));
            close();
            return;
        }
        refusal = null;
        LOG.info(
                "Store session open: as={} generation={} release={}",
                self,
                opened.getGeneration(),
                opened.getRelease());
        link.batch(() -> pending.values().forEach(request -> {
            if (request.isCommit() && request.lostBefore(link)) {
                settle(link, request);
            } else {
                link.give(request);
            }
        }));
        firstOpened.complete(opened.getGeneration());
    }

    /** Asks what became of a commit that was under way when the former link broke. */
    private void settle(StreamAttempt link, PendingRequest<?> commit) {
        if (!take(commit)) {
            return;
        }
        PendingRequest<@Nullable CommitOutcome> question = new PendingRequest<>(
                Requests.settle(
                        settleIds.incrementAndGet(), commit.request.getCommit().getSequence()),
                Responses::settled);
        question.answer.whenComplete((outcome, failure) -> {
            if (outcome != null) {
                commit.answer(Responses.committed(commit.id(), outcome));
            } else {
                commit.answer.completeExceptionally(new EmbeddedFDBException(ErrorCode.COMMIT_UNKNOWN_RESULT));
            }
        });
        enterAnyway(question);
        link.give(question);
    }

    @Override
    public void received(StreamAttempt link, List<Response> responses) {
        List<Response> atOnce = new ArrayList<>();
        List<Response> later = new ArrayList<>();
        responses.forEach(response -> (isToldAtOnce(response) ? atOnce : later).add(response));
        if (!later.isEmpty()) {
            environment.executor().execute(() -> Turn.run(() -> later.forEach(this::answer)));
        }
        Turn.run(() -> atOnce.forEach(this::answer));
    }

    /** Whether this thread may tell it, which belongs to the network. What follows a failure may be anything. */
    private boolean isToldAtOnce(Response response) {
        PendingRequest<?> request = pending.get(response.getId());
        return request != null && request.toldAtOnce && !response.hasError();
    }

    private void answer(Response response) {
        PendingRequest<?> request = pending.get(response.getId());
        if (request == null || !take(request)) {
            return;
        }
        if (response.hasError()) {
            request.answer.completeExceptionally(Responses.error(response));
        } else {
            request.answer(response);
        }
    }

    private boolean take(PendingRequest<?> request) {
        if (!pending.remove(request.id(), request)) {
            return false;
        }
        leave(request);
        return true;
    }

    private void fail(PendingRequest<?> request, EmbeddedFDBException failure) {
        if (take(request)) {
            request.answer.completeExceptionally(failure);
        }
    }

    @Override
    public void broken(StreamAttempt link, Status status) {
        boolean refused = RefusedConnectionException.in(status.getCause()).isPresent();
        String reason = RefusedConnectionException.reason(status);
        // A store that is away is one reason, in whatever words each attempt tells it.
        String kind = refused || status.getCode() != Status.Code.UNAVAILABLE ? reason : AWAY;
        long pause;
        boolean changed;
        synchronized (this) {
            if (closed || link != current) {
                return;
            }
            current = null;
            open = null;
            pause = pauseMillis / 2 + environment.random().nextLong(pauseMillis / 2 + 1);
            pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, pauseMillis * 2);
            changed = !kind.equals(complaint);
            complaint = kind;
        }
        boolean thrown = refused && awaited && !firstOpened.isDone();
        if (changed && !thrown) {
            LOG.warn("No connection to the store, trying again: as={} reason={}", self, reason);
        }
        // A store that ends cuts connections too: what only a cut says counts when the next attempt says it again.
        boolean certain = status.getCode() != Status.Code.UNAVAILABLE || !changed;
        EmbeddedFDBException verdict = certain ? verdict(status, reason, refused) : null;
        if (verdict != null && status.getCode() != Status.Code.UNAVAILABLE) {
            refuse(verdict);
        }
        environment.schedule(pause, this::connect);
        if (verdict != null) {
            // Last, because whoever waits for it may close everything now.
            firstOpened.completeExceptionally(verdict);
        }
    }

    /** What those are told who asked for a session, or null if the store may only be away. */
    private static @Nullable EmbeddedFDBException verdict(Status status, String reason, boolean refused) {
        return switch (status.getCode()) {
            case UNAUTHENTICATED, PERMISSION_DENIED ->
                new EmbeddedFDBException("The store refuses this process: " + reason, PERMISSION_DENIED);
            case FAILED_PRECONDITION ->
                new EmbeddedFDBException(
                        "The store refuses this release: " + status.getDescription(), INCOMPATIBLE_PROTOCOL);
            default ->
                refused ? new EmbeddedFDBException("No session with the store: " + reason, PERMISSION_DENIED) : null;
        };
    }

    /** Everything fails from now on, until a later attempt is not refused: certificates rotate, stores are upgraded. */
    private void refuse(EmbeddedFDBException why) {
        refusal = why;
        for (PendingRequest<?> request : Set.copyOf(pending.values())) {
            boolean unknownCommit = (request.isCommit() && request.given()) || request.request.hasSettle();
            if (!unknownCommit) {
                fail(request, new EmbeddedFDBException(String.valueOf(why.getMessage()), why.getCode()));
            }
        }
    }

    void close() {
        StreamAttempt last;
        synchronized (this) {
            closed = true;
            last = current;
            current = null;
            open = null;
        }
        if (last != null) {
            last.end(Status.CANCELLED);
        }
        firstOpened.completeExceptionally(new EmbeddedFDBException(ErrorCode.TRANSACTION_CANCELLED));
        for (PendingRequest<?> request : Set.copyOf(pending.values())) {
            fail(
                    request,
                    new EmbeddedFDBException(
                            request.isCommit() && request.given()
                                    ? ErrorCode.COMMIT_UNKNOWN_RESULT
                                    : ErrorCode.TRANSACTION_CANCELLED));
        }
    }
}
