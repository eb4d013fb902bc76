/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.io.Serializable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A session as the cluster knows it.
 *
 * @param id of the session, for logs
 * @param name what it was opened with
 * @param labels what it was opened with
 * @param state what it is at
 * @param seat the worker that has or had it; empty while it waits
 * @param slots the numbers of the slots that it has, by resource; a session that names no resource has one of
 *     {@code _session}
 * @param fences by {@code <resource>/<number>}: how often that slot was granted so far. It only grows, so that what is
 *     outside of the cluster can refuse an older holder
 * @param bindings how often a worker has taken it: more than 1 once it went on after a restart
 * @param createdAt when it was asked for
 * @param openedAt when it got its slots; null before
 * @param failure why it has failed; null if it has not
 * @param message says so for people; of one that waits, what to do where no worker has what it waits for; else empty
 */
public record SessionInfo(
        UUID id,
        String name,
        Map<String, String> labels,
        SessionState state,
        String seat,
        Map<String, List<Integer>> slots,
        Map<String, Long> fences,
        long bindings,
        Instant createdAt,
        @Nullable Instant openedAt,
        @Nullable SessionFailureReason failure,
        String message)
        implements Serializable {

    /** Why it has failed. */
    public Optional<SessionFailureReason> failureReason() {
        return Optional.ofNullable(failure);
    }
}
