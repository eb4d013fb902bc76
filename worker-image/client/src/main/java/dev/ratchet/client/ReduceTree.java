/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.ArrayList;
import java.util.List;

/**
 * A tree of tasks that put the values of neighbouring futures together, grown while they are added: so that no task
 * takes more than {@value #FAN_IN} values, and each value is moved a few times at most. Used by one thread.
 */
final class ReduceTree<T> {

    static final int FAN_IN = 16;

    private final Ratchet ratchet;
    private final SubmitOptions options;
    private final SerializableFunction<List<T>, T> combine;
    /** What waits for neighbours: those of a higher level come before those of a lower one. */
    private final List<List<DurableFuture<T>>> levels = new ArrayList<>();

    ReduceTree(Ratchet ratchet, SubmitOptions options, SerializableFunction<List<T>, T> combine) {
        this.ratchet = ratchet;
        this.options = options;
        this.combine = combine;
    }

    void add(DurableFuture<T> next) {
        DurableFuture<T> carried = next;
        for (int level = 0; ; level++) {
            if (level == levels.size()) {
                levels.add(new ArrayList<>());
            }
            List<DurableFuture<T>> waiting = levels.get(level);
            waiting.add(carried);
            if (waiting.size() < FAN_IN) {
                return;
            }
            carried = ratchet.reduce(options, List.copyOf(waiting), combine);
            waiting.clear();
        }
    }

    /** Of everything that was added. */
    DurableFuture<T> root() {
        List<DurableFuture<T>> rest = new ArrayList<>();
        for (List<DurableFuture<T>> level : levels) {
            List<DurableFuture<T>> all = new ArrayList<>(level);
            all.addAll(rest);
            rest = all.size() > 1 ? List.of(ratchet.reduce(options, all, combine)) : all;
        }
        if (rest.isEmpty()) {
            return ratchet.<List<T>, T>map(options, List.of(List.of()), combine).get(0);
        }
        return rest.get(0);
    }
}
