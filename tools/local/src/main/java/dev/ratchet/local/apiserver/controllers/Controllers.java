/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.controllers;

import dev.ratchet.local.apiserver.objects.Objects;
import dev.ratchet.local.apiserver.registry.ResourceRegistry;
import dev.ratchet.local.apiserver.store.ApiObjects;
import dev.ratchet.local.apiserver.store.StoredChange;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the controllers on one thread, which sees every change in order. The queue has no limit of its own: it holds
 * only what clients wrote and the thread has not looked at yet, and looking is cheaper than writing.
 */
public final class Controllers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Controllers.class);

    private final BlockingQueue<StoredChange> changes = new LinkedBlockingQueue<>();
    private final GarbageCollector collector;
    private final ContentDeleter deleter;
    private final DefaultServiceAccounts accounts;
    private final EventLimit events;
    private final Thread thread;

    private Controllers(ResourceRegistry registry, ApiObjects store, Objects objects) {
        this.collector = new GarbageCollector(registry, store, objects);
        this.deleter = new ContentDeleter(registry, store, objects);
        this.accounts = new DefaultServiceAccounts(registry, objects);
        this.events = new EventLimit(registry, objects);
        this.thread = Thread.ofPlatform().daemon().name("apiserver-controllers").unstarted(this::run);
    }

    /** Starts before the first write, so that no change is missed. */
    public static Controllers start(ResourceRegistry registry, ApiObjects store, Objects objects) {
        Controllers controllers = new Controllers(registry, store, objects);
        store.listen(controllers.changes::add);
        controllers.thread.start();
        return controllers;
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                StoredChange change = changes.take();
                accounts.onChange(change);
                events.onChange(change);
                collector.onChange(change);
                deleter.onChange(change);
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                LOG.error("A controller failed over one change and goes on with the next", e);
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
