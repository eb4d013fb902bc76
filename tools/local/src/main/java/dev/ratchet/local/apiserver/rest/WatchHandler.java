/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.http.HttpReply;
import dev.ratchet.local.apiserver.http.HttpRequest;
import dev.ratchet.local.apiserver.http.WebSocketOutput;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.ApiException;
import dev.ratchet.local.apiserver.model.Metadata;
import dev.ratchet.local.apiserver.store.ApiObjects;
import dev.ratchet.local.apiserver.store.ObjectListing;
import dev.ratchet.local.apiserver.store.StoredChange;
import dev.ratchet.local.apiserver.store.WatchCursor;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Watches, over plain HTTP as lines and over WebSocket as messages. A watch without a version starts with what there
 * is. It ends when its time is up (30 minutes unless it says less), when the client has gone, or with an ERROR event
 * when it missed changes.
 */
final class WatchHandler {

    private static final long DEFAULT_SECONDS = 1_800;
    private static final long BOOKMARK_MILLIS = 30_000;
    private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

    /** Where events go. */
    private interface Sink extends AutoCloseable {
        void send(byte[] event) throws IOException;

        @Override
        void close() throws IOException;
    }

    private final ApiObjects store;
    private final Presenter presenter;

    WatchHandler(ApiObjects store, Presenter presenter) {
        this.store = store;
        this.presenter = presenter;
    }

    void watch(ResourcePath path, HttpRequest request, HttpReply reply, Form form) throws IOException {
        Selection selection = Selection.of(path, request);
        String version = request.parameter("resourceVersion");
        boolean sendsInitial = request.flag("sendInitialEvents");
        long from = ListHandler.number(request, "resourceVersion");
        boolean startsWithAll = sendsInitial || version.isEmpty() || from == 0;
        ObjectListing initial = store.list(path.type().storageKey(), path.namespace());
        if (from > initial.version()) {
            throw ApiException.versionFromTheFuture(from, initial.version());
        }
        Thread self = Thread.currentThread();
        AtomicBoolean hasGone = new AtomicBoolean();
        try (Sink sink = reply.wantsWebSocket() ? webSocket(reply) : lines(reply)) {
            reply.watchForDisconnect(() -> {
                hasGone.set(true);
                self.interrupt();
            });
            Events events = new Events(selection, request, form, sink);
            try {
                WatchCursor cursor = store.watch(path.type().storageKey(), startsWithAll ? initial.version() : from);
                if (startsWithAll) {
                    for (ObjectNode object : initial.objects()) {
                        events.initial(object);
                    }
                }
                if (sendsInitial && request.flag("allowWatchBookmarks")) {
                    events.bookmark(initial.version(), true);
                }
                follow(cursor, events, request, hasGone, initial.version());
            } catch (ApiException e) {
                events.error(e);
            } catch (InterruptedException e) {
                // The client has gone; nothing else interrupts this thread.
                throw new IOException("the client of a watch has gone", e);
            }
        }
    }

    /** @param known what has happened up to this version is told, however long that takes */
    private void follow(WatchCursor cursor, Events events, HttpRequest request, AtomicBoolean hasGone, long known)
            throws IOException, InterruptedException {
        long seconds = ListHandler.number(request, "timeoutSeconds");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds > 0 ? seconds : DEFAULT_SECONDS);
        long told = 0;
        while (!hasGone.get()) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (leftMillis <= 0 && told >= known) {
                return;
            }
            StoredChange change = cursor.next(Math.clamp(leftMillis, 0, BOOKMARK_MILLIS));
            if (change != null) {
                events.change(change);
                told = change.version();
            } else if (leftMillis <= 0) {
                return;
            } else if (request.flag("allowWatchBookmarks")) {
                long seen = cursor.seenUpTo();
                if (seen > 0) {
                    events.bookmark(seen, false);
                }
            }
        }
    }

    /** Turns changes into the events of one watch. */
    private final class Events {
        private final Selection selection;
        private final HttpRequest request;
        private final Form form;
        private final Sink sink;

        Events(Selection selection, HttpRequest request, Form form, Sink sink) {
            this.selection = selection;
            this.request = request;
            this.form = form;
            this.sink = sink;
        }

        void initial(ObjectNode stored) throws IOException {
            ObjectNode object = selection.select(stored);
            if (object != null) {
                send("ADDED", object);
            }
        }

        /** An object that comes to be selected is added for this watch, one that no longer is, deleted. */
        void change(StoredChange change) throws IOException {
            @Nullable ObjectNode before = selection.select(change.before());
            @Nullable ObjectNode after = selection.select(change.after());
            if (after != null) {
                send(before == null ? "ADDED" : "MODIFIED", after);
            } else if (before != null) {
                ObjectNode last = before.deepCopy();
                if (change.after() == null) {
                    ObjectNode removed = selection.select(change.last());
                    last = removed == null ? last : removed.deepCopy();
                }
                Metadata.of(last).put("resourceVersion", Long.toString(change.version()));
                send("DELETED", last);
            }
        }

        void bookmark(long version, boolean endsInitialEvents) throws IOException {
            ObjectNode object = Json.object();
            object.put("kind", selection.type().kind())
                    .put("apiVersion", selection.type().apiVersion());
            ObjectNode metadata = object.putObject("metadata");
            metadata.put("resourceVersion", Long.toString(version)).putNull("creationTimestamp");
            if (endsInitialEvents) {
                metadata.putObject("annotations").put(INITIAL_EVENTS_END, "true");
            }
            send("BOOKMARK", object);
        }

        void error(ApiException exception) throws IOException {
            sink.send(event("ERROR", exception.status()));
        }

        private void send(String type, ObjectNode object) throws IOException {
            sink.send(event(type, presenter.one(selection.type(), object, request, form)));
        }

        private static byte[] event(String type, ObjectNode object) {
            ObjectNode event = Json.object().put("type", type);
            event.set("object", object);
            return Json.bytes(event);
        }
    }

    private static Sink lines(HttpReply reply) throws IOException {
        OutputStream out = reply.stream(200, "application/json");
        return new Sink() {
            @Override
            public void send(byte[] event) throws IOException {
                out.write(event);
                out.write('\n');
                out.flush();
            }

            @Override
            public void close() throws IOException {
                out.close();
            }
        };
    }

    private static Sink webSocket(HttpReply reply) throws IOException {
        WebSocketOutput out = reply.webSocket();
        return new Sink() {
            @Override
            public void send(byte[] event) throws IOException {
                out.sendText(event);
            }

            @Override
            public void close() throws IOException {
                out.close();
            }
        };
    }
}
