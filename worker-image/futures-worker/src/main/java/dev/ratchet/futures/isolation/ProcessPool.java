/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which process an attempt gets: one that is free; else a new one, as long as few processes are suspended; else one
 * that is suspended. So nobody has to wait for a process, and there are no more than those that may be suspended and
 * one for each slot, of each kind. An attempt that says how much memory it needs shares a process with nobody: its
 * worker's memory limits how many there are. Safe for use by several threads.
 */
final class ProcessPool {

    private final int idleMax;
    private final int suspendedMax;
    private final Deque<Host> idle = new ArrayDeque<>();
    private final Set<Host> busy = new HashSet<>();
    private boolean closed;

    /**
     * @param idleMax processes that wait for their next task
     * @param suspendedMax processes that wait for other futures while further tasks get new ones
     */
    ProcessPool(int idleMax, int suspendedMax) {
        this.idleMax = idleMax;
        this.suspendedMax = suspendedMax;
    }

    /** A place in a process that is there; none: a new one is to be {@link #add added}. */
    synchronized Optional<Host.Guest> take(Host.Kind kind) {
        for (Host host : List.copyOf(idle)) {
            Host.Guest guest = host.kind().equals(kind) ? host.admit() : null;
            if (guest != null) {
                idle.remove(host);
                busy.add(host);
                return Optional.of(guest);
            }
        }
        if (kind.heapBytes() > 0 || busy.stream().filter(Host::isSuspended).count() < suspendedMax) {
            return Optional.empty();
        }
        List<Host> suspended = busy.stream()
                .filter(host -> host.kind().equals(kind) && host.isSuspended())
                .sorted(Comparator.comparingInt(Host::size))
                .toList();
        for (Host host : suspended) {
            Host.Guest guest = host.admit();
            if (guest != null) {
                return Optional.of(guest);
            }
        }
        return Optional.empty();
    }

    /** A place in a process that was started for it. @throws IOException if the worker or the process has ended */
    synchronized Host.Guest add(Host host) throws IOException {
        Host.@Nullable Guest guest = closed ? null : host.admit();
        if (guest == null) {
            throw new IOException(closed ? "the worker ends" : "it has ended");
        }
        busy.add(host);
        return guest;
    }

    /**
     * Gives a place back.
     *
     * @param endedByItself whether the attempt has
     * @return a process that nobody is to have any more: {@link #forget} it when it has ended
     */
    synchronized Optional<Host> giveBack(Host.Guest guest, boolean endedByItself) {
        Host host = guest.host();
        host.leave(guest, endedByItself);
        if (host.size() > 0) {
            return Optional.empty();
        }
        if (closed || !host.isReusable()) {
            return Optional.of(host);
        }
        busy.remove(host);
        idle.addFirst(host);
        return idle.size() > idleMax ? Optional.of(retire(idle.getLast())) : Optional.empty();
    }

    /** The processes that wait for their next task. */
    synchronized List<Host> idle() {
        return List.copyOf(idle);
    }

    /** Takes those away that have waited for their next task since this was called for the last time. */
    synchronized List<Host> retireUnused() {
        return idle.stream().filter(host -> !host.clearUsed()).toList().stream()
                .map(this::retire)
                .toList();
    }

    private Host retire(Host host) {
        idle.remove(host);
        busy.add(host);
        return host;
    }

    synchronized void forget(Host host) {
        busy.remove(host);
    }

    /** Lets nobody in any more. @return all processes that there are */
    synchronized List<Host> close() {
        closed = true;
        List<Host> all = Stream.concat(idle.stream(), busy.stream()).toList();
        idle.clear();
        return all;
    }
}
