/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import dev.ratchet.client.Actor;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskContext;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Random;

/** A state of so many bytes, which are others after each call; with the calls of {@link LargeActorTest}. */
final class Volume implements Serializable {

    private static final long serialVersionUID = 1L;

    private byte[] bytes;
    private int calls;

    private Volume(byte[] bytes, int calls) {
        this.bytes = bytes;
        this.calls = calls;
    }

    static Actor<Volume> recorded(Ratchet ratchet, SubmitOptions options) {
        return ratchet.actor(options, "volume", () -> new Volume(content(1, 0), 0));
    }

    static Actor<Volume> checkpointed(Ratchet ratchet, SubmitOptions options) {
        return recorded(ratchet, options)
                .checkpointed(1, volume -> volume, volume -> new Volume(volume.bytes, volume.calls));
    }

    /** Leaves {@code size} bytes; how many calls there have been, or -1 if the state is not that of the one before. */
    static DurableFuture<Integer> next(Actor<Volume> actor, int size) {
        return actor.call(volume -> volume.next(size));
    }

    static DurableFuture<Integer> size(Actor<Volume> actor) {
        return actor.read(volume -> volume.bytes.length);
    }

    static DurableFuture<Boolean> isWhole(Actor<Volume> actor) {
        return actor.read(Volume::isWhole);
    }

    /** Where a call runs that changes nothing. */
    static DurableFuture<String> seat(Actor<Volume> actor) {
        return actor.call(volume -> TaskContext.current().seat());
    }

    private int next(int size) {
        if (!isWhole()) {
            return -1;
        }
        bytes = content(size, ++calls);
        return calls;
    }

    private boolean isWhole() {
        return Arrays.equals(bytes, content(bytes.length, calls));
    }

    private static byte[] content(int size, int seed) {
        byte[] content = new byte[size];
        new Random(seed).nextBytes(content);
        return content;
    }
}
