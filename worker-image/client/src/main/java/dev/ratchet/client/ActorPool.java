/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Several actors of one kind that share calls: each goes to the one with the fewest calls of this pool that are not
 * done. Two programs that name the same pool use the same actors. Safe for use by several threads.
 *
 * @param <S> type of the states
 */
public final class ActorPool<S> {

    /** Most actors of one pool. */
    public static final int SIZE_MAX = 1_000;

    private final List<Member<S>> members = new ArrayList<>();

    /**
     * Names the actors; nothing happens until one is called.
     *
     * @param options how calls are treated, and whose tenant the actors belong to
     * @param name the actors are called {@code name 0}, {@code name 1} and so on
     * @param size 1 to 1,000
     * @param create makes the state of each, when there is none
     */
    public ActorPool(Ratchet ratchet, SubmitOptions options, String name, int size, SerializableCallable<S> create) {
        if (size < 1 || size > SIZE_MAX) {
            throw new InvalidInputException("A pool has 1 to " + SIZE_MAX + " actors, not " + size + ".");
        }
        for (int i = 0; i < size; i++) {
            members.add(new Member<>(ratchet.actor(options, name + " " + i, create), new ArrayList<>()));
        }
    }

    private record Member<S>(Actor<S> actor, List<DurableFuture<?>> open) {

        int busy() {
            open.removeIf(DurableFuture::isDone);
            return open.size();
        }
    }

    /** The actors, in order. */
    public List<Actor<S>> actors() {
        return members.stream().map(Member::actor).toList();
    }

    /** Calls the actor that has the least to do. */
    public synchronized <T> DurableFuture<T> call(SerializableFunction<S, T> body) {
        Member<S> idlest = members.get(0);
        int least = Integer.MAX_VALUE;
        for (Member<S> member : members) {
            int busy = member.busy();
            if (busy < least) {
                least = busy;
                idlest = member;
            }
        }
        DurableFuture<T> called = idlest.actor().call(body);
        idlest.open().add(called);
        return called;
    }

    /** One call for each body; futures in their order. */
    public <T> List<DurableFuture<T>> callAll(Collection<? extends SerializableFunction<S, T>> bodies) {
        List<DurableFuture<T>> called = new ArrayList<>();
        bodies.forEach(body -> called.add(call(body)));
        return called;
    }
}
