/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

/**
 * Bounds of what callers take.
 *
 * @param connections open at once
 * @param requestBytes of one body
 * @param headerBytes of one request
 * @param idleMillis without a byte on a connection
 * @param answerMillis until rows are durable
 * @param clientRequests that one client may have open at once
 * @param clientRequestsPerSecond that one client may begin
 */
public record HttpLimits(
        int connections,
        int requestBytes,
        int headerBytes,
        long idleMillis,
        long answerMillis,
        int clientRequests,
        int clientRequestsPerSecond) {

    /** What a worker has without being told otherwise. */
    public static final HttpLimits DEFAULT = new HttpLimits(512, 4 << 20, 16 << 10, 60_000, 30_000, 256, 5_000);
}
