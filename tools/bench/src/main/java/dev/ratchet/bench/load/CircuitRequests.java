/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import dev.ratchet.circuits.nexmark.NexmarkEvent;
import dev.ratchet.circuits.nexmark.NexmarkGenerator;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * What producers send, and where it was said to lie in the log of the circuit. The rows of a request are a function of
 * its producer and sequence, so that none of them need be kept. Safe for use by several threads.
 */
final class CircuitRequests {

    /** A request that was acknowledged. */
    record Request(int producer, long sequence) {}

    static final int REQUEST_ROWS = 40;

    /** So few rows in a second of their own time that windows end within a small run. */
    private static final long INTERVAL_MICROS = 5_000;

    private static final DateTimeFormatter TIMESTAMP =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT);

    private final NexmarkGenerator generator;
    private final int producers;
    private final ConcurrentSkipListMap<String, Request> byPosition = new ConcurrentSkipListMap<>();

    CircuitRequests(long seed, int producers) {
        this.generator = new NexmarkGenerator(seed, INTERVAL_MICROS);
        this.producers = producers;
    }

    /** The rows of a request; together all producers send all events from the first on. */
    Stream<NexmarkEvent> events(Request request) {
        long first = (request.sequence() * producers + request.producer()) * REQUEST_ROWS;
        return LongStream.range(first, first + REQUEST_ROWS).mapToObj(generator::event);
    }

    /** Notes that a request is durable; false where another lies there. */
    boolean acknowledged(String position, Request request) {
        Request other = byPosition.putIfAbsent(position, request);
        return other == null || other.equals(request);
    }

    /** The requests above a position up to another one, both as texts. */
    Collection<Request> between(String above, String upTo) {
        return byPosition.subMap(above, false, upTo, true).values();
    }

    /** All requests by their positions. */
    NavigableMap<String, Request> all() {
        return byPosition;
    }

    /** A value of an event as it is written in rows. */
    static List<Object> written(NexmarkEvent event) {
        return Stream.iterate(0, column -> column + 1)
                .limit(event.values().size())
                .map(column -> switch (event.table().columns().get(column).kind()) {
                    case NUMBER, TEXT -> event.values().get(column);
                    case TIME ->
                        TIMESTAMP.format(LocalDateTime.ofInstant(
                                Instant.ofEpochMilli((Long) event.values().get(column)), ZoneOffset.UTC));
                })
                .toList();
    }
}
