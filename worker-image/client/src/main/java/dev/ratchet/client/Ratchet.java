/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a cluster: submits tasks, awaits their results. One per program is enough; safe for use by several
 * threads. A lost connection is replaced by one to another worker without the caller's help.
 *
 * <p>Submitting returns at once and is durable when {@link DurableFuture#submitted()} completes; submits of several
 * threads and of {@link #map} travel together. What can not be serialised is refused by the call itself. Calls that
 * name, list or count futures wait for what this connection has submitted before.
 *
 * <p>Limits: 64 MiB per task with its argument, 2,000 upstream futures per task, 1,000,000 futures awaited by one
 * connection at once: it asks for the outcomes of more once some of those have ended.
 */
public interface Ratchet extends AutoCloseable {

    /**
     * Connects to a cluster. The implementation, {@code ratchet-futures}, must be on the class path.
     *
     * @throws InvalidInputException if the options can not be used
     * @throws ConnectionException if no worker answers within the time limit
     */
    static Ratchet connect(ConnectionOptions options) {
        return Implementation.provider().connect(options);
    }

    /**
     * Inside of a task: the cluster that it runs on; see {@link TaskContext#ratchet()}.
     *
     * @throws IllegalStateException if the calling thread does not run a task
     */
    static Ratchet current() {
        return TaskContext.current().ratchet();
    }

    /** What is submitted without options gets these: the defaults, and inside of a task the job of that task. */
    SubmitOptions defaultOptions();

    /**
     * Runs {@code task} on a worker.
     *
     * @throws NotSerializableTaskException if the task can not be serialised
     */
    <T> DurableFuture<T> submit(SubmitOptions options, SerializableCallable<T> task);

    /** {@link #submit(SubmitOptions, SerializableCallable)} with {@link #defaultOptions()}. */
    default <T> DurableFuture<T> submit(SerializableCallable<T> task) {
        return submit(defaultOptions(), task);
    }

    /** Runs a method of the connection's artifacts by its name. */
    <T> DurableFuture<T> submit(SubmitOptions options, NamedTask task);

    /**
     * Gets a task ready to be submitted by a transaction of the program's own on the cluster's store, which
     * {@code TransactionalFutures.submit} of {@code ratchet-futures} does: it runs exactly if that transaction commits.
     * Waits until the cluster has the code, and what was submitted before is recorded, so that the transaction only
     * writes. Futures that the task captures are its upstreams. The code is kept for an hour until it is used.
     *
     * @throws NotSerializableTaskException if the task can not be serialised
     * @throws InvalidInputException inside of a task, which writes to the store by its {@link TaskStore}
     */
    PreparedFuture prepare(SubmitOptions options, SerializableCallable<?> task);

    /**
     * As {@link #prepare(SubmitOptions, SerializableCallable)}, for what runs on the values of other futures, in their
     * order: those that are recorded, and those that the same transaction records before it.
     */
    <A> PreparedFuture prepare(
            SubmitOptions options, Collection<FutureId> upstreams, SerializableFunction<List<A>, ?> function);

    /**
     * Runs {@code function} once for each argument. The function travels once.
     *
     * @return futures in the order of the arguments
     */
    <A, T> List<DurableFuture<T>> map(
            SubmitOptions options, Collection<? extends A> arguments, SerializableFunction<A, T> function);

    /** {@link #map(SubmitOptions, Collection, SerializableFunction)} with {@link #defaultOptions()}. */
    default <A, T> List<DurableFuture<T>> map(Collection<? extends A> arguments, SerializableFunction<A, T> function) {
        return map(defaultOptions(), arguments, function);
    }

    /**
     * Runs {@code function} once for each argument of a stream of any length, of which little is in memory at a time.
     * The stream that is returned gives the futures in the order of the arguments, each once it is done; arguments are
     * asked for while it is read, by the thread that reads it, and closing it closes that of the arguments. Throws
     * {@link RatchetException} when interrupted.
     *
     * @param window how many may be submitted beyond the future that was taken last, 1 to 100,000: a few for each
     *     thread of the workers
     */
    default <A, T> Stream<DurableFuture<T>> map(
            SubmitOptions options, Stream<? extends A> arguments, int window, SerializableFunction<A, T> function) {
        return MapWindow.stream(this, options, arguments, window, function);
    }

    /** Runs {@code function} on the value of {@code upstream}, once that is realized. */
    <A, T> DurableFuture<T> then(
            SubmitOptions options, DurableFuture<? extends A> upstream, SerializableFunction<A, T> function);

    /**
     * Runs {@code function} on the values of all {@code upstreams}, in their order, once all are realized. The values
     * travel between workers, not through this process.
     */
    <A, T> DurableFuture<T> reduce(
            SubmitOptions options,
            Collection<? extends DurableFuture<? extends A>> upstreams,
            SerializableFunction<List<A>, T> function);

    /**
     * Puts the values of any number of futures together by a tree of tasks, which take at most 16 values each, and so
     * neither wait for all of them nor need the memory for all of them. One future is its own result.
     *
     * @param combine makes one value of some that follow one another, or of none, and gives the same however they are
     *     divided among calls, as sums and concatenations do
     */
    default <T> DurableFuture<T> reduceTree(
            SubmitOptions options,
            Stream<? extends DurableFuture<T>> futures,
            SerializableFunction<List<T>, T> combine) {
        ReduceTree<T> tree = new ReduceTree<>(this, options, combine);
        futures.forEachOrdered(tree::add);
        return tree.root();
    }

    /**
     * {@link #map(SubmitOptions, Collection, SerializableFunction)}, and {@link #reduceTree} of what comes of it.
     * Returns at once.
     */
    default <A, T> DurableFuture<T> mapReduce(
            SubmitOptions options,
            Collection<? extends A> arguments,
            SerializableFunction<A, T> function,
            SerializableFunction<List<T>, T> combine) {
        return reduceTree(options, map(options, arguments, function).stream(), combine);
    }

    /**
     * {@link #map(SubmitOptions, Stream, int, SerializableFunction)} with a window of 256, and {@link #reduceTree} of
     * what comes of it. Returns when the function has been applied to all arguments; {@link #async} does not wait.
     */
    default <A, T> DurableFuture<T> mapReduce(
            SubmitOptions options,
            Stream<? extends A> arguments,
            SerializableFunction<A, T> function,
            SerializableFunction<List<T>, T> combine) {
        return reduceTree(options, this.<A, T>map(options, arguments, 256, function), combine);
    }

    /**
     * Runs code that yields many results, each of which can be read as soon as it is recorded.
     *
     * @param options how the task is treated, as that of any future
     * @param ahead how many items it may be ahead of the furthest reader before it waits, 1 to 1,000,000
     */
    <T> Items<T> generate(SubmitOptions options, int ahead, SerializableGenerator<T> generator);

    /** {@link #generate(SubmitOptions, int, SerializableGenerator)}, up to 1,000 items ahead. */
    default <T> Items<T> generate(SubmitOptions options, SerializableGenerator<T> generator) {
        return generate(options, 1_000, generator);
    }

    /** The items of a generator by its id, whoever has started it. */
    <T> Items<T> items(FutureId id);

    /**
     * The elements of a list that a future has as its value, as futures of their own: for tasks with several results
     * that others take one by one. An element that the list does not have fails.
     *
     * @param count how many elements, from the first on; 1 to 10,000
     */
    default <T> List<DurableFuture<T>> split(SubmitOptions options, DurableFuture<? extends List<T>> list, int count) {
        if (count < 1 || count > 10_000) {
            throw new InvalidInputException("A list is split into 1 to 10,000 elements, not " + count + ".");
        }
        return IntStream.range(0, count)
                .mapToObj(index -> this.<List<T>, T>then(options, list, new ElementOf<>(index)))
                .toList();
    }

    /** A future by its id, whoever has submitted it. Awaiting an unknown one fails with FutureNotFoundException. */
    <T> DurableFuture<T> future(FutureId id);

    /**
     * Waits until {@code count} of the futures are done or the time is over, whichever is first. Values are not
     * fetched.
     */
    <T> Awaited<T> await(Collection<? extends DurableFuture<T>> futures, int count, Duration timeout)
            throws InterruptedException;

    /** Waits for the first one that is done, without a limit. */
    <T> DurableFuture<T> awaitAny(Collection<? extends DurableFuture<T>> futures) throws InterruptedException;

    /**
     * The futures in the order in which their outcomes become known; the stream waits for the next one when asked for
     * it, and may be closed before its end. Throws {@link RatchetException} when interrupted.
     */
    <T> Stream<DurableFuture<T>> asCompleted(Collection<? extends DurableFuture<T>> futures);

    /** Waits for all values, in the order of the futures; fails as soon as one has failed, with its failure. */
    <T> List<T> awaitAll(Collection<? extends DurableFuture<T>> futures) throws InterruptedException;

    /**
     * As {@link #awaitAll(Collection)}, for at most {@code timeout}.
     *
     * @throws AwaitTimeoutException if not all have a value by then
     */
    <T> List<T> awaitAll(Collection<? extends DurableFuture<T>> futures, Duration timeout) throws InterruptedException;

    /**
     * Makes a stage of what blocks, be it a method of this connection, of a future or of a dataset:
     * {@code ratchet.async(() -> ratchet.awaitAll(futures))}. The call runs on a virtual thread of its own, with the
     * caller's class loader, and is interrupted when the stage is cancelled; the stage completes with what it returns
     * or throws.
     */
    default <T> CompletableFuture<T> async(Callable<T> call) {
        return BlockingCall.start(call);
    }

    /**
     * Makes a value a realized future that tasks can take and anybody can await. Returns at once; the value is safe
     * when {@link DurableFuture#submitted()} completes. It can not be computed again: what a program puts is held by
     * two workers where there are two, what a task puts by its own worker alone, until it is deleted or its retention
     * is over. Of the options, those about running have no effect.
     *
     * @throws NotSerializableTaskException if the value can not be serialised
     * @throws InvalidInputException if it has more than 1 GiB
     */
    <T> DurableFuture<T> put(SubmitOptions options, T value);

    /** {@link #put(SubmitOptions, Object)} with {@link #defaultOptions()}. */
    default <T> DurableFuture<T> put(T value) {
        return put(defaultOptions(), value);
    }

    /**
     * The value of a future as it is stored. As awaiting it, but a result that is lost with its workers is not computed
     * again.
     *
     * @param type what the value is
     * @throws ObjectLostException if no copy of the result is left
     * @throws AwaitTimeoutException if there is no outcome by then
     */
    <T> @Nullable T getStored(FutureId id, Class<T> type, Duration timeout) throws InterruptedException;

    /**
     * Removes futures with their results, whatever their retention; what is not done is cancelled first. What waits for
     * one of them fails, and what was computed from one can not be computed again when it is lost. Awaiting a deleted
     * future fails with FutureNotFoundException.
     *
     * @return how many were there until now
     */
    int deleteAll(Collection<? extends DurableFuture<?>> futures);

    /**
     * Keeps futures beyond their retention for as long as this program is connected, and half a minute longer. What a
     * program submits or puts it holds from the start; this is for what others have submitted.
     *
     * @return how many are known and kept now; a future is held by 64 programs at most
     */
    int hold(Collection<? extends DurableFuture<?>> futures);

    /**
     * Says that this program needs these futures no more. What nobody else needs, and whose retention is over, goes
     * within a minute or two.
     *
     * @return how many are known
     */
    int release(Collection<? extends DurableFuture<?>> futures);

    /**
     * Binds a name to a future, instead of what it was bound to. A future with a name is kept, whatever its retention,
     * until the name is taken away.
     *
     * @param name 1 to 200 characters, of the tenant of {@link #defaultOptions()}
     * @throws InvalidInputException if that tenant has no such future, or it has 16 names already
     */
    void bind(String name, DurableFuture<?> future);

    /** The future that a name is bound to. */
    <T> Optional<DurableFuture<T>> bound(String name);

    /** Takes a name away; whether it was bound. */
    boolean unbind(String name);

    /**
     * Makes at least {@code copies} workers hold a result, 1 to 16, as far as there are so many.
     *
     * @return names of the workers that hold it; none if it is small enough to be kept in the store
     * @throws InvalidInputException if there is no result now
     */
    List<String> replicate(DurableFuture<?> future, int copies);

    /**
     * Moves a result to one worker: it is held there and nowhere else.
     *
     * @return names of the workers that hold it; none if it is small enough to be kept in the store
     * @throws InvalidInputException if there is no result now, or no such worker
     */
    List<String> transfer(DurableFuture<?> future, String seat);

    /** Cancels many futures, like {@link DurableFuture#cancel()}; how many are cancelled now. */
    int cancelAll(Collection<? extends DurableFuture<?>> futures);

    /**
     * Gives futures that have not started another priority, and a place behind the others that have it.
     *
     * @param priority -10 to 10, as in {@link SubmitOptions#priority()}
     * @return how many had not started
     */
    int prioritizeAll(Collection<? extends DurableFuture<?>> futures, int priority);

    /**
     * This cluster as an executor: tasks must be serialisable, each is submitted with {@code options}. Its futures are
     * plain ones of {@code java.util.concurrent} that end with this process; shutting it down leaves the connection
     * open.
     */
    ExecutorService executor(SubmitOptions options);

    /**
     * The actor with this name, which is the same for all who name it; see {@link Actor}. Nothing happens until it is
     * called.
     *
     * @param options how its calls are treated, and whose tenant it belongs to
     * @param name 1 to 150 characters
     * @param create makes its state when there is none; the same code wherever it is named
     */
    <S> Actor<S> actor(SubmitOptions options, String name, SerializableCallable<S> create);

    /** {@link #actor(SubmitOptions, String, SerializableCallable)} with {@link #defaultOptions()}. */
    default <S> Actor<S> actor(String name, SerializableCallable<S> create) {
        return actor(defaultOptions(), name, create);
    }

    /** The circuit of the cluster: its views, as they are after a step. */
    ClusterCircuit circuit();

    /** Sessions: exclusive slots of named resources on one worker, and futures that run there. */
    Sessions sessions();

    /** What is known of a future; absent if nothing is. */
    Optional<FutureInfo> describe(FutureId id);

    /**
     * The futures that fit a query, of all time, in no order that means anything. The stream reads them page by page as
     * it goes; what it reads within five seconds is of one moment.
     */
    Stream<FutureInfo> list(FutureQuery query);

    /** Counts over all futures of a job. */
    JobSummary summary(String job);

    /**
     * Waits until what was submitted is recorded (at most the connect timeout), then disconnects. Submitted futures go
     * on without this connection; whoever still waits through it gets a {@link ConnectionException}.
     */
    @Override
    void close();
}
