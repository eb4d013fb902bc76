/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import dev.ratchet.futures.model.Failures;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.protocol.futures.v1.FailureKind;

/** What attempts have failed with whose code neither returns nor throws. */
final class StoppedAttempts {

    private StoppedAttempts() {}

    /** It has run for longer than its submitter allows. */
    static Outcome timedOut(Execution execution, String seat) {
        long limit = execution.claimed().record().getSchedulingSpec().getAttemptTimeoutMillis();
        return new Outcome.Failed(
                Failures.of(
                        FailureKind.FAILURE_KIND_TIMEOUT,
                        "java.util.concurrent.TimeoutException",
                        "The attempt took longer than " + limit + " ms, its limit.",
                        seat),
                false);
    }

    /** It has ended its worker. Given back it would end the next one, and so on. */
    static Outcome exited(String seat) {
        return new Outcome.Failed(
                Failures.of(
                        FailureKind.FAILURE_KIND_WORKER_LOST,
                        "dev.ratchet.client.WorkerExited",
                        "The code has called System.exit, which ends the worker " + seat
                                + ". Return or throw instead, or run it withIsolation().",
                        seat),
                false);
    }
}
