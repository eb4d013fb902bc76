/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.log;

import dev.ratchet.client.FutureId;
import dev.ratchet.protocol.logs.v1.TaskProgress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How far the tasks of this worker have said they are: the last word of each attempt, as long as there are not too many
 * younger ones. In memory alone, because with the attempt its progress is lost, too. Safe for use by several threads.
 */
public final class ProgressBoard {

    /** Attempts that are remembered. */
    private static final int ATTEMPTS_MAX = 10_000;

    private record Attempt(FutureId id, long epoch) {}

    private final Map<Attempt, TaskProgress> said = new LinkedHashMap<>();

    /** Takes the place of what the same attempt has said before. */
    public synchronized void report(FutureId id, long epoch, TaskProgress progress) {
        Attempt attempt = new Attempt(id, epoch);
        said.remove(attempt);
        said.put(attempt, progress);
        if (said.size() > ATTEMPTS_MAX) {
            said.remove(said.keySet().iterator().next());
        }
    }

    /** What an attempt has said last. */
    public synchronized Optional<TaskProgress> of(FutureId id, long epoch) {
        return Optional.ofNullable(said.get(new Attempt(id, epoch)));
    }
}
