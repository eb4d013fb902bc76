/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Items;
import dev.ratchet.client.RatchetException;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.ReadItemsReply;
import dev.ratchet.protocol.client.v1.ReadItemsRequest;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The items of a generator as their readers see them. */
record RemoteItems<T>(ClientHub hub, Caller caller, RemoteFuture<Long> generator) implements Items<T> {

    @Override
    public DurableFuture<Long> future() {
        return generator;
    }

    @Override
    public Iterator<T> iterator(long first) {
        if (first < 0) {
            throw new InvalidInputException(
                    "Items are numbered from 0 on; there is none with the number " + first + ".");
        }
        return new Reader(first);
    }

    @Override
    public Stream<T> stream() {
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(iterator(0), Spliterator.ORDERED | Spliterator.IMMUTABLE), false);
    }

    /** Reads on when everything is used up that has come; asking says that it is. */
    private final class Reader implements Iterator<T> {
        private final Deque<ByteString> come = new ArrayDeque<>();
        private long next;
        private boolean ended;

        Reader(long first) {
            next = first;
        }

        @Override
        public boolean hasNext() {
            while (come.isEmpty() && !ended) {
                GatewayConnection.await(
                        generator.submitted().toCompletableFuture().handle((done, failure) -> true));
                ReadItemsReply reply = read();
                come.addAll(reply.getItemsList());
                if (reply.getEnd()) {
                    ended = true;
                    requireSuccess();
                }
            }
            return !come.isEmpty();
        }

        private ReadItemsReply read() {
            ReadItemsRequest request = ReadItemsRequest.newBuilder()
                    .setId(Ids.bytes(generator.id()))
                    .setFrom(next)
                    .build();
            try (Caller.Pause paused = caller.pause()) {
                return GatewayConnection.await(
                        hub.connection().call((stub, answer) -> stub.readItems(request, answer)));
            }
        }

        private void requireSuccess() {
            try {
                var unused = generator.get();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new RatchetException("Interrupted while waiting for the end of the items", interrupted);
            }
        }

        @Override
        @SuppressWarnings("unchecked") // The generator's signature tells the type.
        public T next() {
            if (!hasNext()) {
                throw new NoSuchElementException("There are " + next + " items");
            }
            ByteString item = come.remove();
            next++;
            try {
                return (T) Objects.requireNonNull(
                        hub.completions().results().read(item.toByteArray(), generator.classes()));
            } catch (IOException | ClassNotFoundException unreadable) {
                throw new RatchetException(
                        "The item " + (next - 1) + " can not be read here: " + unreadable, unreadable);
            }
        }
    }
}
