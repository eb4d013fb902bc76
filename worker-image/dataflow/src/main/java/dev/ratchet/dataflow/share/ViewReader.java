/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.share;

import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.dataflow.ShareFeed;
import dev.ratchet.environment.Environment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads views of the circuit by merging the shares of all its processes. A reader is told whole steps only, in their
 * order and each once, also where the circuit is opened again in between. Safe for use by several threads.
 */
public final class ViewReader {

    /** Views that are read until closed. */
    public interface Reading extends AutoCloseable {

        /** Allows the listener to be called so many times more. */
        void request(int calls);

        /** Ends the reading; a call that has begun may still be running. */
        @Override
        void close();
    }

    /**
     * Bounds of the memory that one reading takes.
     *
     * @param snapshotBytes rows of all views that are read at once
     * @param waitingBytes of one share: changes that wait for the reader or for other shares
     */
    public record Limits(long snapshotBytes, long waitingBytes) {

        /** 256 MiB and 16 MiB. */
        public static final Limits DEFAULT = new Limits(256 << 20, 16 << 20);
    }

    private final CircuitShares shares;
    private final Environment environment;
    private final Limits limits;

    public ViewReader(CircuitShares shares, Environment environment, Limits limits) {
        this.shares = shares;
        this.environment = environment;
        this.limits = limits;
    }

    /**
     * Reads views from a snapshot of them on, all at the same step.
     *
     * @throws IllegalArgumentException where there is no such view
     */
    public Reading snapshot(List<String> views, ViewListener listener) {
        return read(views, ShareFeed.ANY_LIFE, ShareFeed.FROM_SNAPSHOT, listener);
    }

    /**
     * Reads what changes in a view after a step that the reader knows.
     *
     * @param afterStep at least 0
     * @throws IllegalArgumentException where there is no such view
     */
    public Reading follow(String view, long afterStep, ViewListener listener) {
        return follow(view, ShareFeed.ANY_LIFE, afterStep, listener);
    }

    /**
     * As the other one, where the reader knows of which life of the circuit its step is.
     *
     * @param life in another one the reading fails
     */
    public Reading follow(String view, long life, long afterStep, ViewListener listener) {
        if (afterStep < 0) {
            throw new IllegalArgumentException("A step is a number from 0 on, not " + afterStep);
        }
        return read(List.of(view), life, afterStep, listener);
    }

    private Reading read(List<String> views, long life, long afterStep, ViewListener listener) {
        Map<String, RowSchema> schemas = new LinkedHashMap<>();
        views.forEach(view -> schemas.put(view, shares.schema(view)));
        ViewReading reading = new ViewReading(shares, environment, limits, schemas, life, afterStep, listener);
        reading.begin();
        return reading;
    }
}
