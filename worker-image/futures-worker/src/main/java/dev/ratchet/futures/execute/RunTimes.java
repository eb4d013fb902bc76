/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import com.google.protobuf.ByteString;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How long the code of this worker's tasks takes, by its digest: short is what hardly ever took long. Thread-safe. */
public final class RunTimes {

    /** A run is short below this. */
    private static final long SHORT_NANOS = 5_000_000;

    /** Runs that must be known before anything is said. */
    private static final int RUNS_MIN = 50;

    /** Of so many runs at most one may have been long. */
    private static final int RUNS_PER_LONG_ONE = 100;

    /** Runs after which old ones count half. */
    private static final int RUNS_MAX = 10_000;

    private static final int FUNCTIONS_MAX = 1_000;

    private static final class Runs {
        private int all;
        private int tooLong;
    }

    private final Map<ByteString, Runs> functions = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteString, Runs> eldest) {
            return size() > FUNCTIONS_MAX;
        }
    };

    synchronized void add(FutureRecord run, long nanos) {
        Runs runs = functions.computeIfAbsent(key(run.getFunction(), run.getActor()), unused -> new Runs());
        runs.all++;
        runs.tooLong += nanos > SHORT_NANOS ? 1 : 0;
        if (runs.all > RUNS_MAX) {
            runs.all /= 2;
            runs.tooLong /= 2;
        }
    }

    /** Calls of one actor count together, whatever code they run. */
    private static ByteString key(ByteString function, ByteString actor) {
        return actor.isEmpty() ? function : actor;
    }

    /**
     * Whether 99 of 100 runs like this one were short. Calls of an actor run one after the other anyway, so they lose
     * nothing by being run early: they are held for short until most of them have taken long.
     */
    public synchronized boolean isShort(SubmittedFuture future) {
        @Nullable Runs runs = functions.get(key(future.getFunction(), future.getActor()));
        if (!future.getActor().isEmpty()) {
            return runs == null || runs.tooLong <= runs.all / 2 + 1;
        }
        return runs != null && runs.all >= RUNS_MIN && runs.tooLong * RUNS_PER_LONG_ONE <= runs.all;
    }
}
