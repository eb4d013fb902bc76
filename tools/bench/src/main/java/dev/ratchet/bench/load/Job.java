/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import dev.ratchet.bench.load.Promise.Kind;
import dev.ratchet.bench.load.Tasks.Fibonacci;
import dev.ratchet.client.Actor;
import dev.ratchet.client.ConnectionException;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.RetryPolicy;
import dev.ratchet.client.SubmitOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/** The kinds of work, each of which promises what its futures must come to. */
enum Job {
    /** Many short tasks of one submit. */
    MANY(6) {
        @Override
        void submit(LoadSession session) throws InterruptedException {
            int count = session.random().nextInt(10, 200);
            long base = session.random().nextInt();
            session.enter(count);
            SubmitOptions options = session.options();
            List<Long> arguments = LongStream.range(base, base + count).boxed().toList();
            List<DurableFuture<Long>> futures = session.ratchet().map(options, arguments, number -> number * 3);
            for (int i = 0; i < count; i++) {
                session.promise(futures.get(i), Promise.value(futures.get(i).id(), arguments.get(i) * 3, false));
            }
        }
    },
    /** One short task that a client waits for. */
    SHORT(6) {
        @Override
        void submit(LoadSession session) throws InterruptedException {
            long value = session.random().nextInt();
            session.enter(1);
            promiseValue(
                    session,
                    session.ratchet().submit(session.options().withShortTask(), () -> {
                        Tasks.count();
                        return value;
                    }),
                    value);
        }
    },
    /** Short tasks whose values the client takes before they are recorded. */
    SPECULATIVE(4) {
        @Override
        void submit(LoadSession session) throws InterruptedException {
            int count = session.random().nextInt(1, 20);
            session.enter(count);
            SubmitOptions options = session.options().withDelay(Duration.ZERO).withSpeculativeValue();
            for (int i = 0; i < count; i++) {
                long value = session.random().nextInt();
                DurableFuture<Long> future = session.ratchet().submit(options, () -> value);
                session.promise(future, Promise.value(future.id(), value, false));
            }
        }
    },
    /** One task that takes its time. */
    SLOW(8) {
        @Override
        void submit(LoadSession session) throws InterruptedException {
            long value = session.random().nextInt();
            session.enter(1);
            long millis = session.random().nextInt(1_500);
            promiseValue(session, session.ratchet().submit(session.options(), Tasks.slow(value, millis)), value);
        }
    },
    /** Tasks each of which takes the result of the one before. */
    CHAIN(3) {
        @Override
        void submit(LoadSession session) throws InterruptedException {
            int length = session.random().nextInt(3, 30);
            session.enter(length);
            SubmitOptions options = session.options();
            long value = session.random().nextInt();
            DurableFuture<Long> last = session.ratchet().submit(options, Tasks.slow(value, 1));
            promiseValue(session, last, value);
            for (int i = 1; i < length; i++) {
                last = session.ratchet().then(options, last, number -> {
                    Tasks.count();
                    return number + 1;
                });
                promiseValue(session, last, value + i);
            }
        }
    },
    /** One result that many tasks take, and one task that takes all of theirs. */
    DIAMOND(3) {
        @Override
        void submit(LoadSession session) throws InterruptedException {
            int width = session.random().nextInt(2, 40);
            session.enter(width + 2);
            SubmitOptions options = session.options();
            long value = session.random().nextInt();
            DurableFuture<Long> top = session.ratchet().submit(options, Tasks.slow(value, 50));
            promiseValue(session, top, value);
            List<DurableFuture<Long>> middle = new ArrayList<>();
            long sum = 0;
            for (int i = 0; i < width; i++) {
                long plus = i;
                DurableFuture<Long> one = session.ratchet().then(options, top, number -> {
                    Tasks.count();
                    return number + plus;
                });
                promiseValue(session, one, value + plus);
                middle.add(one);
                sum += value + plus;
            }
            DurableFuture<Long> bottom = session.ratchet().reduce(options, middle, all -> {
                Tasks.count();
                return all.stream().mapToLong(Long::longValue).sum();
            });
            promiseValue(session, bottom, sum);
        }
    },
    /** A result that lives in the object stores of workers, and a task that reads it. */
    LARGE(3) {
        @Override
        void submit(LoadSession session) throws InterruptedException {
            session.enter(2);
            SubmitOptions options = session.options();
            long seed = session.random().nextInt();
            long length = session.random().nextInt(20_000, 1_000_000);
            DurableFuture<byte[]> bytes = session.ratchet().submit(options, Tasks.large(seed, length));
            DurableFuture<Long> checksum = session.ratchet().then(options, bytes, read -> {
                Tasks.count();
                return Tasks.checksum(read);
            });
            session.promise(bytes, new Promise(bytes.id(), Kind.BYTES, true, seed, length));
            promiseValue(session, checksum, Tasks.checksum(Tasks.bytes(seed, length)));
            // A client that was not let in does not know whether the checksum has been taken: the bytes stay then.
            bytes.thenCombine(checksum, (read, value) -> bytes).thenAccept(session::keep);
        }
    },
    /** Tasks that fail at first. */
    FLAKY(3) {
        @Override
        void submit(LoadSession session) throws InterruptedException {
            session.enter(1);
            SubmitOptions options = session.options();
            RetryPolicy retries = options.retries().withBackOff(Duration.ofMillis(20), 2, Duration.ofMillis(200));
            long value = session.random().nextInt();
            int failures = session.random().nextInt(1, 4);
            promiseValue(
                    session,
                    session.ratchet().submit(options.withRetries(retries), Tasks.flaky(value, failures)),
                    value);
        }
    },
    /** Tasks that always fail. */
    FAILING(2) {
        @Override
        void submit(LoadSession session) throws InterruptedException {
            session.enter(1);
            SubmitOptions options = session.options();
            RetryPolicy retries = options.retries().failingOn(Tasks.MeantException.class);
            DurableFuture<Long> future = session.ratchet().submit(options.withRetries(retries), Tasks.failing());
            session.promise(future, new Promise(future.id(), Kind.FAILURE, true, 0, 0));
        }
    },
    /** Tasks that submit tasks and wait for them. */
    NESTED(2) {
        @Override
        void submit(LoadSession session) throws InterruptedException {
            int number = session.random().nextInt(2, 6);
            session.enter(1);
            DurableFuture<Long> future = session.ratchet().submit(session.options(), new Fibonacci(number));
            promiseValue(session, future, Fibonacci.of(number));
        }
    },
    /** Tasks that change the same keys of the store. */
    CONTENDED(3) {
        @Override
        void submit(LoadSession session) throws InterruptedException {
            session.enter(1);
            long value = session.random().nextInt();
            String name = SHARED + session.random().nextInt(8);
            promiseValue(session, session.ratchet().submit(session.options(), Tasks.contended(value, name)), value);
        }
    },
    /** Calls of one actor. */
    ACTOR(2) {
        @Override
        void submit(LoadSession session) throws InterruptedException {
            int calls = session.random().nextInt(2, 12);
            session.enter(calls);
            long number = session.random().nextLong(1L << 40);
            Actor<List<Long>> actor = actor(session, number);
            for (long i = 0; i < calls; i++) {
                long tag = i;
                DurableFuture<Long> place = actor.call(tags -> {
                    tags.add(tag);
                    return (long) tags.size();
                });
                session.promise(place, new Promise(place.id(), Kind.CALL, false, number, tag));
            }
        }
    },
    /** The same key, submitted by several clients. */
    KEYED(2) {
        @Override
        void submit(LoadSession session) throws InterruptedException {
            long number = session.random().nextInt(500);
            session.enter(1);
            SubmitOptions options =
                    session.options().withTenant(LoadSession.TENANTS.get(0)).withKey("load-" + number);
            promiseValue(session, session.ratchet().submit(options, Tasks.slow(number, 10)), number);
        }
    },
    /** Tasks that are cancelled, if it is not too late. */
    CANCELLED(3) {
        @Override
        void submit(LoadSession session) throws InterruptedException {
            session.enter(1);
            long value = session.random().nextInt();
            long patience = session.random().nextInt(2_500);
            DurableFuture<Long> future = session.ratchet().submit(session.options(), Tasks.slow(value, 1_000));
            session.promise(future, new Promise(future.id(), Kind.EITHER, true, value, 0));
            Thread.ofVirtual().start(() -> cancel(session, future, patience));
        }

        private void cancel(LoadSession session, DurableFuture<Long> future, long patience) {
            try {
                Thread.sleep(patience);
                session.tell((future.cancel() ? "cancelled " : "late ") + future.id());
            } catch (ConnectionException | InterruptedException unknown) {
                // It stays a promise of either.
            }
        }
    };

    /** Keys that several tasks count in begin so. */
    static final String SHARED = "shared-";

    private final int weight;

    Job(int weight) {
        this.weight = weight;
    }

    /** Submits one piece of work, when there is room for it. */
    abstract void submit(LoadSession session) throws InterruptedException;

    /** One of them, the heavier the likelier. */
    static Job any(RandomGenerator random) {
        return WeightedChoice.of(values(), job -> job.weight, random);
    }

    private static Actor<List<Long>> actor(LoadSession session, long number) {
        return session.ratchet()
                .actor(
                        session.options().withTenant(LoadSession.TENANTS.get(0)).withDelay(Duration.ZERO),
                        "tags-" + number,
                        ArrayList::new);
    }

    /**
     * What the calls of an actor have left. Here, because the code that runs on workers must not know what they hide.
     */
    static DurableFuture<List<Long>> tags(LoadSession session, long number) {
        return actor(session, number).call(tags -> tags);
    }

    private static void promiseValue(LoadSession session, DurableFuture<Long> future, long value) {
        session.promise(future, Promise.value(future.id(), value, true));
    }
}
