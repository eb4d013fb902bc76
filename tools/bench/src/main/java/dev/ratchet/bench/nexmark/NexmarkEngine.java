/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.nexmark;

/** What is measured: something that answers queries over changes. */
public interface NexmarkEngine extends AutoCloseable {

    /**
     * Reads all changes of a job and brings the answer up to date with them. Calls {@link NexmarkJob#begins} when it is
     * ready to read the first one.
     *
     * @return rows of the answer: those that came less those that went
     * @throws NotAnsweredException where the engine has no way to say the query
     */
    long run(NexmarkJob job) throws Exception;

    /** A query that an engine can not answer, and why. */
    final class NotAnsweredException extends Exception {
        private static final long serialVersionUID = 1;

        public NotAnsweredException(String reason) {
            super(reason);
        }
    }
}
