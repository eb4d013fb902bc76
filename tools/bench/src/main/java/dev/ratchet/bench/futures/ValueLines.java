/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.client.DurableFuture;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Lines about values that go from process to process. */
final class ValueLines {

    private static final int MOVES_TO_WARM_UP = 2;
    private static final int PUTS_TO_WARM_UP = 30;

    private ValueLines() {}

    /**
     * Values that go from the client to workers and back: small ones are put together, large ones one by one. What the
     * first ones take in a cluster that has just started is a line of its own.
     */
    static void values(Subject subject) throws Exception {
        for (int bytes : new int[] {1_000, 1_000_000, 100_000_000}) {
            int count = bytes > 10_000_000 ? 10 : bytes > 10_000 ? 100 : 1_000;
            byte[] value = new byte[bytes];
            new SplittableRandom(1).nextBytes(value);
            List<DurableFuture<byte[]>> put = new ArrayList<>();
            subject.once("put, cold", bytes, count, () -> put(subject, value, count, put));
            subject.once("get, cold", bytes, count, () -> get(subject, value, put));
            int rounds =
                    bytes > 10_000_000 ? MOVES_TO_WARM_UP : subject.extent().quick() ? 5 : PUTS_TO_WARM_UP;
            for (int round = 0; round < rounds; round++) {
                subject.ratchet().deleteAll(put);
                put(subject, value, count, put);
                get(subject, value, put);
            }
            subject.ratchet().deleteAll(put);
            subject.once("put", bytes, count, () -> put(subject, value, count, put));
            subject.once("get", bytes, count, () -> get(subject, value, put));
            if (bytes > 10_000_000 && subject.cluster().size() > 1) {
                move(subject, bytes, put);
            }
            subject.ratchet().deleteAll(put);
        }
    }

    // In place of what is in the list.
    private static List<?> put(Subject subject, byte[] value, int count, List<DurableFuture<byte[]>> put) {
        put.clear();
        for (int i = 0; i < count; i++) {
            put.add(subject.ratchet().put(value));
            if (value.length > 10_000) {
                put.getLast().submitted().toCompletableFuture().join();
            }
        }
        put.forEach(one -> one.submitted().toCompletableFuture().join());
        return put;
    }

    private static List<?> get(Subject subject, byte[] value, List<DurableFuture<byte[]>> put)
            throws InterruptedException {
        for (DurableFuture<byte[]> one : put) {
            if (!Arrays.equals(subject.ratchet().<byte[]>future(one.id()).get(), value)) {
                throw new IllegalStateException("A value of " + value.length + " bytes has become another one");
            }
        }
        return put;
    }

    // To the first worker, to the second, and back, until that is as fast as it will be: with one copy each.
    private static void move(Subject subject, int bytes, List<DurableFuture<byte[]>> values) throws Exception {
        String first = subject.cluster().seat(0);
        String second = subject.cluster().seat(1);
        for (int round = 0; round < MOVES_TO_WARM_UP; round++) {
            move(subject, values, first);
            move(subject, values, second);
        }
        move(subject, values, first);
        subject.once("from worker to worker", bytes, values.size(), () -> {
            move(subject, values, second);
            return null;
        });
        int warmUp = 2 * MOVES_TO_WARM_UP * values.size();
        for (RawLoopback way : RawLoopback.values()) {
            double perSecond = way.perSecond(subject.directory(), bytes, warmUp, values.size());
            subject.rate(way == RawLoopback.BARE ? "over a bare socket" : "over a TLS socket", bytes, perSecond, 0);
        }
    }

    private static void move(Subject subject, List<DurableFuture<byte[]>> values, String target) {
        for (DurableFuture<byte[]> value : values) {
            List<String> holders = subject.ratchet().transfer(value, target);
            if (!holders.equals(List.of(target))) {
                throw new IllegalStateException(value + " is held by " + holders + ", not by " + target);
            }
        }
    }
}
