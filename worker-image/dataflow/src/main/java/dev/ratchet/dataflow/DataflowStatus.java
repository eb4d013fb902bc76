/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import java.util.Map;

/**
 * How the circuit stands, as far as this process knows.
 *
 * @param message why, for a person; empty where there is nothing to say
 * @param step the last step that was taken, 0 before the first
 * @param version the last version of the state that is durable on all workers, 0 for none
 * @param versionStep the step of that version
 * @param programDigest SHA-256 of the program that runs, in hexadecimal; empty for none
 * @param receivedRows rows that were read, by table, also 0 for each table of the program that runs
 * @param pendingBytes of the input log that are in no step yet
 * @param lagRows by table, rows of the input log that not all workers have taken in a step: lines that are not empty,
 *     as nobody has parsed them yet; tables without any may be left out, and all are until they are counted
 * @param viewRows rows of changes that were put out, by view, also 0 for each view of the program that runs
 * @param lagSteps by view, how many of the steps that were taken the feed or output which takes it step by step does
 *     not have yet, the slowest one of several; views that nobody takes so are left out
 * @param errorRows rows that could not be computed or parsed
 */
public record DataflowStatus(
        DataflowState state,
        String message,
        long step,
        long version,
        long versionStep,
        String programDigest,
        Map<String, Long> receivedRows,
        long pendingBytes,
        Map<String, Long> lagRows,
        Map<String, Long> viewRows,
        Map<String, Long> lagSteps,
        long errorRows) {

    public DataflowStatus {
        receivedRows = Map.copyOf(receivedRows);
        lagRows = Map.copyOf(lagRows);
        viewRows = Map.copyOf(viewRows);
        lagSteps = Map.copyOf(lagSteps);
    }

    /** The same with a further message; an empty one adds nothing. */
    public DataflowStatus alsoSaying(String further) {
        String both = message.isEmpty() || further.isEmpty() ? message + further : message + "; " + further;
        return new DataflowStatus(
                state,
                both,
                step,
                version,
                versionStep,
                programDigest,
                receivedRows,
                pendingBytes,
                lagRows,
                viewRows,
                lagSteps,
                errorRows);
    }
}
