/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.model.ApiException;
import dev.ratchet.local.apiserver.model.Metadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All objects, in memory. One counter numbers every write; an object that was handed out never changes, a write
 * replaces it. All writes and all reads of more than one object happen under one lock and take no longer than copying
 * references.
 */
public final class ApiObjects {

    private static final class Kind {
        final NavigableMap<String, ObjectNode> objects = new TreeMap<>();
        final ChangeLog log;

        Kind(int history, long version) {
            log = new ChangeLog(history, version);
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Kind> kinds = new HashMap<>();
    private final List<Consumer<StoredChange>> listeners = new CopyOnWriteArrayList<>();
    private final int history;
    private long version = 1;

    public ApiObjects(int history) {
        this.history = history;
    }

    /**
     * {@code listener} learns of every write in order, on the thread that wrote and under the lock: it must only take
     * note.
     */
    public void listen(Consumer<StoredChange> listener) {
        listeners.add(listener);
    }

    public long version() {
        return versionIf(() -> true);
    }

    /** The version now if {@code condition} holds while nothing is being written, otherwise -1. */
    long versionIf(BooleanSupplier condition) {
        lock.lock();
        try {
            return condition.getAsBoolean() ? version : -1;
        } finally {
            lock.unlock();
        }
    }

    public @Nullable ObjectNode get(String storageKey, String namespace, String name) {
        lock.lock();
        try {
            return kind(storageKey).objects.get(key(namespace, name));
        } finally {
            lock.unlock();
        }
    }

    /** The objects of a kind in one namespace, or in all where {@code namespace} is empty. */
    public ObjectListing list(String storageKey, String namespace) {
        lock.lock();
        try {
            NavigableMap<String, ObjectNode> objects = kind(storageKey).objects;
            // '0' follows '/', so this is exactly the keys that start with the namespace and a slash.
            var range = namespace.isEmpty() ? objects : objects.subMap(namespace + "/", namespace + "0");
            return new ObjectListing(new ArrayList<>(range.values()), version);
        } finally {
            lock.unlock();
        }
    }

    /** Adds {@code object} and gives it its version; null, and nothing changes, when there is one of that name. */
    public @Nullable ObjectNode create(String storageKey, ObjectNode object) {
        lock.lock();
        try {
            Kind kind = kind(storageKey);
            String key = key(Metadata.namespace(object), Metadata.name(object));
            if (kind.objects.containsKey(key)) {
                return null;
            }
            ObjectNode stored = stamp(object);
            kind.objects.put(key, stored);
            publish(kind, new StoredChange(version, storageKey, null, stored, stored));
            return stored;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Puts {@code after} in the place of {@code before}; null, and nothing changes, when {@code before} is not what is
     * there.
     */
    public @Nullable ObjectNode replace(String storageKey, ObjectNode before, ObjectNode after) {
        return exchange(storageKey, before, after, true);
    }

    /**
     * Takes {@code before} away, leaving {@code last} for watchers to see; null, and nothing changes, when
     * {@code before} is not what is there.
     */
    public @Nullable ObjectNode remove(String storageKey, ObjectNode before, ObjectNode last) {
        return exchange(storageKey, before, last, false);
    }

    private @Nullable ObjectNode exchange(String storageKey, ObjectNode before, ObjectNode after, boolean stays) {
        lock.lock();
        try {
            Kind kind = kind(storageKey);
            String key = key(Metadata.namespace(before), Metadata.name(before));
            if (!isStill(kind.objects.get(key), before)) {
                return null;
            }
            ObjectNode stored = stamp(after);
            if (stays) {
                kind.objects.put(key, stored);
            } else {
                kind.objects.remove(key);
            }
            publish(kind, new StoredChange(version, storageKey, before, stays ? stored : null, stored));
            return stored;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Reads the changes of a kind after {@code from}.
     *
     * @throws ApiException 410 when some of them are forgotten
     */
    public WatchCursor watch(String storageKey, long from) {
        lock.lock();
        try {
            ChangeLog log = kind(storageKey).log;
            ChangeLog.Place place = log.after(from);
            if (place == null) {
                throw ApiException.expired("too old resource version: " + from + " (" + version + ")");
            }
            return new WatchCursor(this, log, place);
        } finally {
            lock.unlock();
        }
    }

    private Kind kind(String storageKey) {
        return kinds.computeIfAbsent(storageKey, key -> new Kind(history, 0));
    }

    private ObjectNode stamp(ObjectNode object) {
        ObjectNode stored = object.deepCopy();
        version++;
        Metadata.of(stored).put("resourceVersion", Long.toString(version));
        return stored;
    }

    private void publish(Kind kind, StoredChange change) {
        kind.log.append(change);
        listeners.forEach(listener -> listener.accept(change));
    }

    /** No two writes have the same version, so the version tells which object it is. */
    private static boolean isStill(@Nullable ObjectNode current, ObjectNode expected) {
        return current != null && Metadata.resourceVersion(current).equals(Metadata.resourceVersion(expected));
    }

    private static String key(String namespace, String name) {
        return namespace + "/" + name;
    }
}
