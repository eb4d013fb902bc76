/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.apply;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Owns the delays between attempts at what was refused: 2 s, doubling up to a minute. Soft: after a restart of the
 * operator counting begins anew. Thread-safe.
 */
final class RefusalBackoff {
    private static final Duration FIRST = Duration.ofSeconds(2);
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final int DOUBLINGS_MAX = 5;

    private record Refused(Refusal refusal, int count) {}

    private final Map<String, Refused> refused = LruMap.bounded();

    /** The last refusal, if it is too early for another attempt. */
    Optional<Refusal> current(String attempt, Instant now) {
        return Optional.ofNullable(refused.get(attempt))
                .map(Refused::refusal)
                .filter(refusal -> now.isBefore(refusal.retryAt()));
    }

    Refusal note(String attempt, String object, String message, Instant now) {
        return Objects.requireNonNull(refused.compute(attempt, (key, before) -> {
                    int count = before == null ? 0 : before.count() + 1;
                    Duration delay = FIRST.multipliedBy(1L << Math.min(count, DOUBLINGS_MAX));
                    Instant retryAt = now.plus(delay.compareTo(LONGEST) < 0 ? delay : LONGEST);
                    return new Refused(new Refusal(object, message, retryAt), count);
                }))
                .refusal();
    }

    void forget(String attempt) {
        refused.remove(attempt);
    }
}
