/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the processes of one node: one {@link PodRunner} for each pod bound to it. A node that is lost kills them all at
 * once, tells nobody, and begins the pods anew that are still bound to it when it comes back. Thread-safe.
 */
final class NodePods {

    /** What the node does with pods. */
    private enum State {
        RUNNING,
        LOST,
        CLOSED
    }

    private static final Logger LOG = LoggerFactory.getLogger(NodePods.class);
    private static final long END_LIMIT_SECONDS = 20;

    private final PodHost host;
    private final PodAddresses addresses;
    private final Runnable ended;
    private final Map<String, PodRunner> runners = new ConcurrentHashMap<>();
    private final Map<String, Thread> threads = new ConcurrentHashMap<>();
    private volatile State state = State.RUNNING;

    /** @param ended is told, on any thread, when a pod holds nothing more of the node */
    NodePods(PodHost host, PodAddresses addresses, Runnable ended) {
        this.host = host;
        this.addresses = addresses;
        this.ended = ended;
    }

    /** The pod is there, new or changed. */
    synchronized void present(Pod pod) {
        PodRunner known = runners.get(pod.getMetadata().getUid());
        if (known != null) {
            known.update(pod);
        } else if (state == State.RUNNING) {
            begin(pod);
        }
    }

    /** The pod is not in the API server any more. */
    void gone(Pod pod) {
        PodRunner runner = runners.get(pod.getMetadata().getUid());
        if (runner != null) {
            runner.markGone();
        }
    }

    Collection<PodRunner> runners() {
        return runners.values();
    }

    @Nullable
    PodRunner runner(String uid) {
        return runners.get(uid);
    }

    boolean isLost() {
        return state == State.LOST;
    }

    private void begin(Pod pod) {
        String uid = pod.getMetadata().getUid();
        String address = addresses.take();
        PodRunner runner = new PodRunner(pod, host, address);
        runners.put(uid, runner);
        Thread thread = Thread.ofVirtual().name("pod-" + runner.title()).unstarted(() -> {
            try {
                runner.run();
            } catch (RuntimeException e) {
                LOG.error("a pod is not looked after any more: pod={}", runner.title(), e);
            } finally {
                runners.remove(uid);
                threads.remove(uid);
                addresses.giveBack(address);
                ended.run();
            }
        });
        threads.put(uid, thread);
        thread.start();
    }

    /** Kills all processes, as a node does whose power fails; returns when they have ended. */
    void lose() {
        List<Thread> ending;
        synchronized (this) {
            if (state != State.RUNNING) {
                return;
            }
            state = State.LOST;
            ending = List.copyOf(threads.values());
            runners.values().forEach(PodRunner::abandon);
        }
        await(ending);
    }

    /** The node is back: {@code bound} are the pods that are still bound to it. */
    synchronized void restore(Collection<Pod> bound) {
        if (state == State.LOST) {
            state = State.RUNNING;
            bound.forEach(this::present);
        }
    }

    /** Ends all processes; the pods stay in the API server as they are. */
    void close() {
        List<Thread> ending;
        synchronized (this) {
            state = State.CLOSED;
            ending = List.copyOf(threads.values());
        }
        ending.forEach(Thread::interrupt);
        await(ending);
    }

    private static void await(List<Thread> ending) {
        try {
            for (Thread thread : ending) {
                thread.join(TimeUnit.SECONDS.toMillis(END_LIMIT_SECONDS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
