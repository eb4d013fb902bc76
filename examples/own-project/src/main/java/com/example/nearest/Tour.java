/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.nearest;

import dev.ratchet.client.Actor;
import dev.ratchet.client.Awaited;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Program;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.RetryPolicy;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskContext;
import dev.ratchet.client.TaskFailedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Shows in a few lines each how a task is retried, how it fails, how futures are awaited, and what an actor keeps. */
public final class Tour implements Program {

    @Override
    public void run(Ratchet ratchet, List<String> arguments) throws InterruptedException {
        retry(ratchet);
        fail(ratchet);
        await(ratchet);
        count(ratchet);
    }

    private static void retry(Ratchet ratchet) throws InterruptedException {
        RetryPolicy policy = RetryPolicy.defaults()
                .withMaxRetries(5)
                .withBackOff(Duration.ofMillis(100), 2, Duration.ofSeconds(10))
                .failingOn(IllegalArgumentException.class);
        DurableFuture<String> lucky = ratchet.submit(SubmitOptions.ofJob("tour").withRetries(policy), () -> {
            int attempt = TaskContext.current().attempt();
            if (attempt < 3) {
                throw new IOException("no luck with attempt " + attempt);
            }
            return "luck with attempt " + attempt;
        });
        System.out.println(lucky.get());
    }

    private static void fail(Ratchet ratchet) throws InterruptedException {
        DurableFuture<Integer> number = ratchet.submit(SubmitOptions.ofJob("tour"), () -> Integer.parseInt("twelve"));
        try {
            System.out.println(number.get());
        } catch (TaskFailedException failed) {
            System.out.println(failed.causeType() + " in each of " + failed.attempts() + " attempts");
        }
    }

    private static void await(Ratchet ratchet) throws InterruptedException {
        SubmitOptions job = SubmitOptions.ofJob("tour");
        List<DurableFuture<Integer>> lengths = ratchet.map(job, List.of("one", "three", "seven"), String::length);

        Awaited<Integer> some = ratchet.await(lengths, 2, Duration.ofSeconds(30));
        System.out.println(some.done().size() >= 2 ? "two are done" : "half a minute is over");

        ratchet.asCompleted(lengths).forEach(length -> System.out.println("done: " + length.id()));

        DurableFuture<Integer> twice = lengths.get(1).then(length -> 2 * length);
        ratchet.async(() -> ratchet.awaitAll(lengths))
                .thenAccept(all -> System.out.println("the lengths are " + all))
                .join();
        System.out.println("twice the length of three is " + twice.get());
    }

    private static void count(Ratchet ratchet) throws InterruptedException {
        Actor<List<String>> journal = ratchet.actor("journal of tours", ArrayList::new);
        journal.call(lines -> lines.add("a tour"));
        System.out.println("tours so far: " + journal.read(List::size).get());
    }
}
