/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/**
 * A state that lives on the cluster, with calls that run on it one after the other, from whatever program or task they
 * come, in the order in which they were recorded (but see {@link #withConcurrentCallsMax}). Nobody has to start it: the
 * first call makes the state. It ends with no program and with no worker, because each call records the state that it
 * leaves together with its result: a call that fails or is lost with its worker leaves no trace in it, and a call that
 * succeeds changes it exactly once. The state stays in the memory of the worker that ran the last call, which the next
 * one prefers.
 *
 * <p>Limits: the state is serialisable and has at most 64 MiB then (1 MiB until an upgrade from release 0.1 is
 * finalized), unless it is {@link #inMemory}. One of more than 1 MiB is written in pieces by each call that changes it.
 * A call may await futures, but not calls of its own actor, which come after it.
 *
 * @param <S> type of the state
 */
public interface Actor<S> {

    /** Names it, for ever, within the tenant of its options. */
    String name();

    /**
     * Runs {@code body} on the state, which it may change, after all calls that were recorded before.
     *
     * @param options how this call is treated; its result is never computed again
     */
    <T> DurableFuture<T> call(SubmitOptions options, SerializableFunction<S, T> body);

    /** {@link #call(SubmitOptions, SerializableFunction)} with the options of the actor. */
    <T> DurableFuture<T> call(SerializableFunction<S, T> body);

    /**
     * Runs {@code body} on a copy of the state as it is after all calls that were recorded before, or later ones. Reads
     * run beside each other and beside calls, on any worker; what they change in their copy is dropped.
     *
     * @param options how this read is treated; its result is never computed again
     */
    <T> DurableFuture<T> read(SubmitOptions options, SerializableFunction<S, T> body);

    /** {@link #read(SubmitOptions, SerializableFunction)} with the options of the actor. */
    <T> DurableFuture<T> read(SerializableFunction<S, T> body);

    /**
     * The same actor with a limit of one's own: what is called or read through the returned object while so many of its
     * calls and reads have no outcome yet fails at once with {@link PendingCallsExceededException}, and is not
     * submitted. Callers that are faster than the actor so learn of it before their calls pile up in the cluster.
     *
     * @param calls at least 1
     * @throws InvalidInputException if it is less
     */
    Actor<S> withPendingCallsMax(int calls);

    /**
     * The same actor, whose calls through the returned object do not wait for all calls that were recorded before: each
     * begins when fewer than {@code calls} of those are open, so that up to so many run beside each other, on any
     * worker, each on a state of its own as it is recorded when the call begins. What they change is still recorded one
     * after the other: a call that leaves another state than it began with, while the recorded one has become another,
     * is run again on that one. So each call changes the state exactly once, and all is as if they had run one after
     * the other: those that change it in the order in which they end, the others on the state with which they began.
     * That is of use for calls that take long and seldom change the state. An open call that waits counts as one with
     * all that it waits for: where callers give different numbers, or none, more calls than that may run.
     *
     * @param calls 1 to 64; 1 as without this
     * @throws InvalidInputException if it is less or more
     */
    Actor<S> withConcurrentCallsMax(int calls);

    /**
     * The same actor, whose state stays in the memory of one worker and is not recorded: for what can not be written
     * down, as a connection or a model, of any size. Calls go to the worker that has it, and so do reads, which are
     * calls here. Where that worker is gone, or has no room for a while, the next call makes a new state. Once a new
     * one is made the former is never used again, and closed if it is {@link AutoCloseable}; so it is by
     * {@link #reset}. What a call that fails has changed stays. Neither isolated nor beside each other.
     */
    Actor<S> inMemory();

    /**
     * As {@link #inMemory}, with checkpoints: after the first call and each {@code everyCalls}-th one {@code save} is
     * run on the state, and what it returns is recorded together with the result of the call. A new state is made of
     * the last one by {@code load}: the calls after it are lost with the worker.
     *
     * @param everyCalls at least 1
     * @param save what it returns is serialisable and has at most 64 MiB (1 MiB until an upgrade from release 0.1 is
     *     finalized); for more it writes a file and returns its name
     * @param load makes the state of what {@code save} has returned
     */
    <C> Actor<S> checkpointed(int everyCalls, SerializableFunction<S, C> save, SerializableFunction<C, S> load);

    /**
     * The same actor for code that has changed: a state, or a checkpoint, that the code of other artifacts has recorded
     * is made a state by {@code migrate}, where it would else be read as Java reads objects of other versions of their
     * classes, and the call fail that can not.
     */
    Actor<S> withMigration(SerializableFunction<FormerState, S> migrate);

    /** A call that removes the state, so that the next call makes a new one; whether there was any. */
    DurableFuture<Boolean> reset();
}
